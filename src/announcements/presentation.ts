import type { PublicAnnouncement } from './announcement.ts';
import { partsOf, type TextPart, type Words } from './values/markdown.ts';
import { severityLabel } from './values/severity.ts';
import { type Translation, translated } from './values/translations.ts';

/**
 * An announcement in the words that readers see, with its parts and what its severity is called.
 *
 * @param language of its translations; undefined: as it was written
 */
export function presentation(announcement: PublicAnnouncement, language?: string) {
  const translation = language === undefined ? undefined : announcement.translations?.[language];
  const words = translated(announcement, translation);
  return {
    ...words,
    parts: partsOf(words),
    linkLabel: linkText(words),
    severityLabel: severityLabel(words.severity, language),
  };
}
export type Presentation = Readonly<ReturnType<typeof presentation>>;

/** The text of the link: its label, or the host if the message holds links and cannot be the link. */
function linkText(words: Words & Pick<PublicAnnouncement, 'link' | 'linkLabel'>): string | undefined {
  const { link, linkLabel, markdown } = words;
  if (linkLabel !== undefined || markdown === undefined || !URL.canParse(link)) return linkLabel;
  return partsOf(words).some((part) => part.link !== undefined) ? new URL(link).host : undefined;
}

type ActiveWords<T> = T & { readonly parts?: readonly TextPart[]; readonly severityLabel?: string };

/** An announcement in `/content/active.json`: the badge has neither a parser nor names of severities. */
export type ActiveAnnouncement = ActiveWords<PublicAnnouncement> & {
  readonly translations?: Readonly<Record<string, ActiveWords<Translation>>>;
};

/** Whether it is drawn as its message: then the badge needs no parts. */
function isPlain({ message, parts: [part, ...others] }: Presentation): boolean {
  return others.length === 0 && part?.text === message && !part.mark && !part.link;
}

/** Adds the parts of formatted messages, and the word for the severity in each language where it is known. */
export function withDrawnParts(announcement: PublicAnnouncement): ActiveAnnouncement {
  const { translations } = announcement;
  const original = presentation(announcement);
  const others = Object.entries(translations ?? {}).map(([tag, words]) => ({
    ...{ tag, words, shown: presentation(announcement, tag) },
  }));
  const hasParts = [original, ...others.map(({ shown }) => shown)].some((shown) => !isPlain(shown));
  const made = <T extends Words>(
    words: T,
    { parts, linkLabel, severityLabel }: Presentation,
  ): ActiveWords<T> => ({
    ...words,
    // Plain translations have parts, too, so that the badge does not use those of the announcement.
    ...(hasParts ? { parts } : {}),
    ...(hasParts && linkLabel !== undefined ? { linkLabel } : {}),
    ...(severityLabel === undefined ? {} : { severityLabel }),
  });
  if (translations === undefined) return made(announcement, original);
  const entries = others.map(({ tag, words, shown }) => [tag, made(words, shown)] as const);
  return { ...made(announcement, original), translations: Object.fromEntries(entries) };
}

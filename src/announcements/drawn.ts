import type { PublicAnnouncement } from './announcement.ts';
import { partsOf, type TextPart, type Words } from './values/markdown.ts';
import { severityLabel } from './values/severity.ts';
import { type Translation, translated } from './values/translations.ts';

/**
 * What readers see of an announcement, and what its severity is called.
 *
 * @param language of its translations; undefined: as it was written
 */
export function drawn(announcement: PublicAnnouncement, language?: string) {
  const translation = language === undefined ? undefined : announcement.translations?.[language];
  const words = translated(announcement, translation);
  const { message, markdown, link, severity, dismissible } = words;
  const label = severityLabel(severity, language);
  return { message, markdown, link, linkLabel: linkText(words), severity, severityLabel: label, dismissible };
}
export type Drawn = Readonly<ReturnType<typeof drawn>>;

/** What the link is called beside the message: a message that holds links cannot be one, and then it is the host at least. */
function linkText(words: Words & Pick<PublicAnnouncement, 'link' | 'linkLabel'>): string | undefined {
  const { link, linkLabel, markdown } = words;
  if (linkLabel !== undefined || markdown === undefined || !URL.canParse(link)) return linkLabel;
  return partsOf(words).some((part) => part.link !== undefined) ? new URL(link).host : undefined;
}

/** Words as `active.json` has them, ready to be drawn. */
type ActiveWords<T> = T & { readonly parts?: readonly TextPart[]; readonly severityLabel?: string };

/** What `/content/active.json` has of an announcement: a badge needs neither a parser nor the names of severities. */
export type ActiveAnnouncement = ActiveWords<PublicAnnouncement> & {
  readonly translations?: Readonly<Record<string, ActiveWords<Translation>>>;
};

/** Adds the parts of formatted messages, and the word for the severity in each language where it is known. */
export function activeAnnouncement(announcement: PublicAnnouncement): ActiveAnnouncement {
  const { markdown, translations } = announcement;
  const made = <T extends Words>(words: T, language?: string): ActiveWords<T> => {
    const { linkLabel, severityLabel } = drawn(announcement, language);
    // Beside a formatted announcement, plain translations have parts, too: those of the announcement are not theirs.
    const isFormatted = markdown !== undefined || words.markdown !== undefined;
    return {
      ...words,
      ...(isFormatted ? { parts: partsOf(words) } : {}),
      ...(isFormatted && linkLabel !== undefined ? { linkLabel } : {}),
      ...(severityLabel === undefined ? {} : { severityLabel }),
    };
  };
  if (translations === undefined) return made(announcement);
  const entries = Object.entries(translations).map(([tag, words]) => [tag, made(words, tag)] as const);
  return { ...made(announcement), translations: Object.fromEntries(entries) };
}

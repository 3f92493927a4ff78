import type { Presentation } from '../../announcements/presentation.ts';
import { type Severity, severityLabel } from '../../announcements/values/severity.ts';
import { linksWithin, type Translations } from '../../announcements/values/translations.ts';
import { padded, safeText, widthOf, wrapped } from '../../kit/terminal-text.ts';
import type { Paint } from '../program/paint.ts';

/** The badge's text column in a browser, measured in characters of ordinary width. */
const badgeText = 44;
const logo = '◆';

/** The visible part of an announcement. Null or missing: the default; for `severityLabel`, in English. */
type DrawnAnnouncement = Pick<Presentation, 'message' | 'link'> & {
  readonly [N in keyof Presentation]?: Presentation[N] | null;
};

/**
 * The badge as a visitor sees it: logo, the word of its severity, words (underlined where they lead
 * somewhere) and the buttons that it has, in lines.
 */
export function drawBadge(drawn: DrawnAnnouncement, paint: Paint, columns: number): string[] {
  const { message, link } = drawn;
  const room = Math.max(4, Math.min(badgeText, columns - 12));
  const buttons = drawn.dismissible === false ? '−' : '− ×';
  const word = drawn.severityLabel ?? severityWord(drawn.severity);
  // A link with a label is below the message here, beside it in a browser.
  const label = link === '' ? '' : (drawn.linkLabel ?? '');
  const isLink = link !== '' && label === '';
  const words = wrapped(safeText(`${word === undefined ? '' : `${word} · `}${message}`), room);
  const lines = [
    ...words.map((text) => [text, isLink ? paint.link(text) : text] as const),
    ...(label === '' ? [] : wrapped(safeText(label), room).map((text) => [text, paint.link(text)] as const)),
  ];
  const width = Math.max(...lines.map(([text]) => widthOf(text)), 8);
  const body = lines.map(([text, styled], at) => {
    const left = at === 0 ? paint.accent(logo) : ' ';
    const right = at === 0 ? paint.dim(buttons) : ' '.repeat(widthOf(buttons));
    return `│ ${left}  ${styled}${padded('', width - widthOf(text))}  ${right} │`;
  });
  const edge = '─'.repeat(width + widthOf(buttons) + 7);
  return [`╭${edge}╮`, ...body, `╰${edge}╯`];
}

/** The badge's word before an announcement, unless the tag sets another one; none for `info`. */
export function severityWord(severity: Severity | null | undefined): string | undefined {
  return severityLabel(severity ?? undefined)?.toLowerCase();
}

/** What a click does, in words, because a drawing cannot be clicked. */
export function describeLink(drawn: DrawnAnnouncement & { readonly translations?: Translations }): string {
  const opens = drawn.link === '' ? [] : [`A click opens ${drawn.link}`];
  const within = linksWithin(drawn).map((link) => `Link: ${link}`);
  return [...opens, ...within].map(safeText).join('\n') || 'It has no link: a click does nothing.';
}

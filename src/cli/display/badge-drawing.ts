import type { Drawn } from '../../announcements/drawn.ts';
import { type Severity, severityLabel } from '../../announcements/values/severity.ts';
import { padded, safeText, widthOf, wrapped } from '../../kit/terminal-text.ts';
import type { Paint } from '../program/paint.ts';

/** The badge's text column in a browser, measured in characters of ordinary width. */
const badgeText = 44;
const logo = '◆';

/** What of an announcement is seen; what is null or missing is as in most of them, and a missing word for its severity is English. */
export type DrawnAnnouncement = Pick<Drawn, 'message' | 'link'> & {
  readonly [N in keyof Drawn]?: Drawn[N] | null;
};

/**
 * The badge as a visitor sees it: logo, the word of its severity, words (underlined where they lead somewhere) and the buttons that it
 * has, in lines.
 */
export function drawBadge(drawn: DrawnAnnouncement, paint: Paint, columns: number): string[] {
  const room = Math.max(4, Math.min(badgeText, columns - 12));
  const buttons = drawn.dismissible === false ? '−' : '− ×';
  const lines = badgeLines(drawn, room, paint);
  const width = Math.max(...lines.map(({ text }) => widthOf(text)), 8);
  const body = lines.map(({ text, style }, at) => {
    const left = at === 0 ? paint.accent(logo) : ' ';
    const right = at === 0 ? paint.dim(buttons) : ' '.repeat(widthOf(buttons));
    return `│ ${left}  ${style(text)}${padded('', width - widthOf(text))}  ${right} │`;
  });
  const edge = '─'.repeat(width + widthOf(buttons) + 7);
  return [`╭${edge}╮`, ...body, `╰${edge}╯`];
}

interface BadgeLine {
  readonly text: string;
  readonly style: (text: string) => string;
}

/** A link with words of its own is below the message here, beside it in a browser. */
function badgeLines(drawn: DrawnAnnouncement, room: number, paint: Paint) {
  const { message, link, linkLabel } = drawn;
  const word = drawn.severityLabel ?? severityWord(drawn.severity);
  const label = link === '' ? '' : (linkLabel ?? '');
  const style = link === '' || label !== '' ? (text: string) => text : paint.link;
  const words = wrapped(safeText(`${word === undefined ? '' : `${word} · `}${message}`), room);
  const lines: BadgeLine[] = words.map((text, at) => ({
    text,
    style: at === 0 && word !== undefined ? (line) => withWord(line, word, style, paint) : style,
  }));
  const labelLines = label === '' ? [] : wrapped(safeText(label), room);
  return [...lines, ...labelLines.map((text): BadgeLine => ({ text, style: paint.link }))];
}

/** The word that the badge puts before an English announcement, unless the tag of a site has another; none for mere information. */
export function severityWord(severity: Severity | null | undefined): string | undefined {
  return severityLabel(severity ?? undefined)?.toLowerCase();
}

function withWord(line: string, word: string, style: BadgeLine['style'], paint: Paint): string {
  if (!line.startsWith(word)) return style(line);
  const [, gap = '', rest = ''] = /^([ ·]*)(.*)$/.exec(line.slice(word.length)) ?? [];
  return `${paint.bold(word)}${gap}${rest === '' ? '' : style(rest)}`;
}

/** What a click does, in words, because a drawing cannot be clicked. */
export function describeLink({ link }: DrawnAnnouncement, columns: number): string[] {
  if (link === '') return ['It has no link: a click does nothing.'];
  return wrapped(`A click opens ${safeText(link)}`, columns);
}

/** What visitors see while no announcement is current. */
export function drawBrandAlone(paint: Paint): string[] {
  return ['╭───╮', `│ ${paint.accent(logo)} │`, '╰───╯'];
}

import type { Paint } from '../output/paint.ts';
import { pad, toTerminalText, widthOf, wrap } from '../output/text-width.ts';

/** The badge's text column in a browser, measured in characters of ordinary width. */
const badgeText = 44;
const logo = '◆';
const buttons = '− ×';

export interface DrawnAnnouncement {
  readonly message: string;
  readonly link: string;
}

/** The badge as a visitor sees it: logo, words (underlined where they lead somewhere) and the two buttons, in lines. */
export function drawBadge({ message, link }: DrawnAnnouncement, paint: Paint, columns: number): string[] {
  const room = Math.max(4, Math.min(badgeText, columns - 12));
  const lines = wrap(toTerminalText(message), room);
  const width = Math.max(...lines.map(widthOf), 8);
  const style = link === '' ? (text: string) => text : paint.link;
  const body = lines.map((line, at) => {
    const left = at === 0 ? paint.accent(logo) : ' ';
    const right = at === 0 ? paint.dim(buttons) : ' '.repeat(widthOf(buttons));
    return `│ ${left}  ${style(line)}${pad('', width - widthOf(line))}  ${right} │`;
  });
  const edge = '─'.repeat(width + widthOf(buttons) + 7);
  return [`╭${edge}╮`, ...body, `╰${edge}╯`];
}

/** What a click does, in words, because a drawing cannot be clicked. */
export function describeLink({ link }: DrawnAnnouncement, columns: number): string[] {
  if (link === '') return ['There is no link to open.'];
  return wrap(`A click opens ${toTerminalText(link)}`, columns);
}

/** What visitors see while no announcement is current. */
export function drawBrandAlone(paint: Paint): string[] {
  return ['╭───╮', `│ ${paint.accent(logo)} │`, '╰───╯'];
}

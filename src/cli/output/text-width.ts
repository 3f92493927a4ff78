import stringWidth from 'string-width';
import { toVisible } from '../../kit/visible-text.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
// Marks that turn the direction of what follows would turn the rest of the line, too.
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Foreign text made safe for a line of ours: without marks that reorder their surroundings, control characters made visible. */
export function toTerminalText(text: string): string {
  return toVisible(text.replace(directionMarks, ''));
}

// The codes that `paint` writes; others, such as hidden text (8), can only be foreign.
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const ownCodes = /(\u001B\[(?:[0-4]|7|2[2-7]|3[0-79]|90)m|\n)/;

/** A whole text for the terminal: lines and colours of our own stay, whatever else would control the terminal is made visible. */
export function toTerminalLines(text: string): string {
  return text
    .split(ownCodes)
    .map((piece, at) => (at % 2 === 1 ? piece : toTerminalText(piece)))
    .join('');
}

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** The text in exactly `width` columns: filled with blanks, or cut with an ellipsis. */
export function fitTo(text: string, width: number): string {
  const shown = widthOf(text) <= width ? text : `${takeColumns(text, width - 1)}…`;
  return pad(shown, width);
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** A text with its own lines, of which those that are too long are broken between words. */
export function toFittingLines(text: string, width: number): string {
  const lines = text.split('\n');
  return lines.flatMap((line) => (widthOf(line) > width ? wrap(line, width) : line)).join('\n');
}

/** Lines of at most `width` columns, broken between words, or inside a word that is longer than a line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  const [first = '', ...words] = text.split(/(?<=\S) +/);
  let line = '';
  for (const word of [first, ...words]) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > width) {
      const head = takeColumns(line, width);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}

/** The longest beginning in at most `width` columns, but at least one character, so that a caller gets on. */
function takeColumns(text: string, width: number): string {
  let taken = '';
  for (const { segment } of segmenter.segment(text)) {
    if (taken !== '' && widthOf(taken + segment) > width) break;
    taken += segment;
  }
  return taken;
}

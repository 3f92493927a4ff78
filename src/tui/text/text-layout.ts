import { toColumns } from '../terminal/columns.ts';

/** `left` and `right` at the two ends of a row of `width` columns; what does not fit at the right is left out. */
export function toBothEnds(left: string, right: string, width: number): string {
  const gap = width - toColumns(left) - toColumns(right);
  return gap >= 1 ? left + ' '.repeat(gap) + right : left;
}

/** Shares `free` rows out between `count` gaps in whole rows, the first ones being the larger. */
export function toGaps(free: number, count: number): number[] {
  const rows = Math.max(0, free);
  return Array.from({ length: count }, (_, at) => Math.ceil((rows - at) / count));
}

/** Two blocks of rows side by side, the second from column `at` on. */
export function toSideBySide(left: readonly string[], right: readonly string[], at: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    right[row] === undefined ? (left[row] ?? '') : toWidth(left[row] ?? '', at) + right[row],
  );
}

/** `text` in the middle of `width` columns. */
export function toCentre(text: string, width: number): string {
  return ' '.repeat(Math.max(0, Math.floor((width - toColumns(text)) / 2))) + text;
}

/** Filled up with blanks to `width` columns. */
export function toWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - toColumns(text)));
}

/** Columns of the longest row that is still easy to read. */
const longestRow = 90;

/** Breaks words into rows of at most `width` columns, and never more than can be read well; a longer word gets a row of its own. */
export function toRows(text: string, width: number): string[] {
  const rows: string[] = [];
  const room = Math.min(width, longestRow);
  for (const word of text.split(/ (?!%)/)) {
    const last = rows.at(-1);
    if (last !== undefined && toColumns(last) + 1 + toColumns(word) <= room) {
      rows[rows.length - 1] = `${last} ${word}`;
    } else rows.push(word);
  }
  return rows;
}

/** At most `count` such rows: the last one shows that there is more. */
export function toFirstRows(text: string, ellipsis: string, width: number, count: number): string[] {
  const rows = toRows(text, width);
  const last = rows[count - 1];
  if (last === undefined || rows.length <= count) return rows.slice(0, Math.max(0, count));
  const room = Math.min(width, longestRow);
  return [...rows.slice(0, count - 1), toFitting(`${last} ${rows[count]}`, ellipsis, room)];
}

/** A sentence without colours, cut to `width` columns: what does not fit is replaced by the sign for it. */
export function toFitting(text: string, ellipsis: string, width: number): string {
  if (toColumns(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (toColumns(kept + character + ellipsis) > width) break;
    kept += character;
  }
  return kept + ellipsis;
}

/** As many sentences as fit into `width` columns; the first one is cut where it does not. */
export function toFittingSentences(text: string, ellipsis: string, width: number): string {
  if (toColumns(text) <= width) return text;
  const [first = '', ...others] = text.split(/(?<=[.!?]) (?=[\p{Lu}\d])/u);
  return toFittingParts([toFitting(first, ellipsis, width), ...others], ' ', width);
}

/** As many of `parts` as fit into `width` columns, in order, with `gap` between them. */
export function toFittingParts(parts: readonly string[], gap: string, width: number): string {
  let row = '';
  for (const part of parts) {
    const longer = row === '' ? part : row + gap + part;
    if (toColumns(longer) > width) break;
    row = longer;
  }
  return row;
}

// Measures, truncates, wraps and aligns text in the columns of a terminal. For all commands and screens.
import stringWidth from 'string-width';
import { unseen, visibleText } from './visible-text.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const styling = /\u001b\[[\d;]*m/g;

/** Columns that a text takes; its colours take none. */
export function widthOf(text: string): number {
  const bare = text.includes('\u001b') ? text.replace(styling, '') : text;
  for (let at = 0; at < bare.length; at += 1) {
    if (!isSingle(bare.charCodeAt(at))) return stringWidth(bare);
  }
  return bare.length;
}

/** Letters, lines, blocks and arrows are known to take one column; the library is slow. */
function isSingle(code: number): boolean {
  if (code < 0x300) return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code !== 0xad);
  return (
    (code >= 0x2500 && code < 0x25fd) ||
    (code >= 0x2010 && code < 0x2028) ||
    (code >= 0x2030 && code < 0x2060) ||
    (code >= 0x2190 && code < 0x231a)
  );
}

/** Foreign text made safe for one line: without unseen marks, control characters made visible. */
export function safeText(text: string): string {
  return visibleText(text.replace(unseen, ''));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for them
const unshown = /\u001b\[[\d;]*m|[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** A row of a screen with its colours, without unseen marks; every other control character becomes a space. */
export function shownRow(row: string): string {
  return row.replace(unseen, '').replace(unshown, (found) => (found.length > 1 ? found : ' '));
}

/** Padded with spaces to `width` columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** In exactly `width` columns: padded with spaces, or cut. */
export function fitted(text: string, width: number): string {
  return padded(cut(text, width), width);
}

/** In the middle of `width` columns. */
export function centred(text: string, width: number): string {
  return ' '.repeat(Math.max(0, Math.floor((width - widthOf(text)) / 2))) + text;
}

/** A text without colours, cut to `width` columns: `ellipsis` stands for what does not fit. */
export function cut(text: string, width: number, ellipsis = '…'): string {
  if (widthOf(text) <= width) return text;
  return beginning(text, Math.max(0, width - widthOf(ellipsis))) + ellipsis;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The longest beginning in at most `width` columns. */
function beginning(text: string, width: number): string {
  let used = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    used += widthOf(segment);
    if (used > width) return text.slice(0, index);
  }
  return text;
}

/**
 * Lines of at most `width` columns, broken between words, or inside a word that is longer than a line. A
 * number and the `%` after it stay together.
 */
export function wrapped(text: string, width: number): string[] {
  // In a narrow window, what is left beside something else may be less than nothing.
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) +(?!%)/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > room) {
      const head = beginning(line, room) || [...line][0] || '';
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}

/** A text of several lines; those that are too long are wrapped. */
export function fittingLines(text: string, width: number): string {
  const lines = text.split('\n');
  return lines.flatMap((line) => (widthOf(line) > width ? wrapped(line, width) : line)).join('\n');
}

/** As `wrapped`, in at most `count` lines: the last one shows that there is more. */
export function firstLines(text: string, width: number, count: number, ellipsis = '…'): string[] {
  const lines = wrapped(text, width);
  if (lines.length <= count || count < 1) return lines.slice(0, Math.max(0, count));
  return [...lines.slice(0, count - 1), cut(lines.slice(count - 1, count + 1).join(' '), width, ellipsis)];
}

/** As many of `parts` as fit into `width` columns, in order, with `gap` between; `more` if one is left out. */
export function fittingParts(parts: readonly string[], gap: string, width: number, more = ''): string {
  let row = '';
  for (const [at, part] of parts.entries()) {
    const longer = row === '' ? part : row + gap + part;
    const end = at === parts.length - 1 ? '' : more;
    if (widthOf(longer + end) > width) return row && row + more;
    row = longer;
  }
  return row;
}

/** `left` and `right` at the two ends of `width` columns; the right one is left out where it does not fit. */
export function bothEnds(left: string, right: string, width: number): string {
  const gap = width - widthOf(left) - widthOf(right);
  return gap >= 1 ? left + ' '.repeat(gap) + right : left;
}

/** Two blocks of lines side by side, the second from column `at` on. */
export function sideBySide(left: readonly string[], right: readonly string[], at: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    right[row] === undefined ? (left[row] ?? '') : padded(left[row] ?? '', at) + right[row],
  );
}

/** Cells of equal width in rows that fit into `width` columns. */
export function grid(cells: readonly string[], cellWidth: number, width: number): string[] {
  const perRow = Math.max(1, Math.floor(width / cellWidth));
  return Array.from({ length: Math.ceil(cells.length / perRow) }, (_, row) =>
    cells
      .slice(row * perRow, (row + 1) * perRow)
      .map((cell) => padded(cell, cellWidth))
      .join('')
      .trimEnd(),
  );
}

/** Rows with their cells in columns, two blanks apart and at most `maxWidth` wide. */
export function tableRows(
  cells: readonly (readonly string[])[],
  maxWidth = Number.POSITIVE_INFINITY,
): string[] {
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))));
  const row = (texts: readonly string[]) =>
    texts.map((text, at) => padded(text, Math.min(maxWidth, widths[at] ?? 0)));
  return cells.map((texts) => row(texts).join('  ').trimEnd());
}

/** A count and its noun: `1 round`, `2 rounds`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

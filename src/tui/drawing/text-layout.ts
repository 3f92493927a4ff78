import stringWidth from 'string-width';

/** `left` and `right` at the two ends of a row of `width` columns; what does not fit at the right is left out. */
export function toBothEnds(left: string, right: string, width: number): string {
  const gap = width - stringWidth(left) - stringWidth(right);
  return gap >= 1 ? left + ' '.repeat(gap) + right : left;
}

/** `text` in the middle of `width` columns. */
export function toCentre(text: string, width: number): string {
  return ' '.repeat(Math.max(0, Math.floor((width - stringWidth(text)) / 2))) + text;
}

/** Filled up with blanks to `width` columns. */
export function toWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** Breaks words into rows of at most `width` columns; a longer word stands alone. */
export function toRows(text: string, width: number): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const last = rows.at(-1);
    if (last !== undefined && stringWidth(last) + 1 + stringWidth(word) <= width) {
      rows[rows.length - 1] = `${last} ${word}`;
    } else rows.push(word);
  }
  return rows;
}

/** As many of `parts` as fit into `width` columns, in order, with `gap` between them. */
export function toFittingParts(parts: readonly string[], gap: string, width: number): string {
  let row = '';
  for (const part of parts) {
    const longer = row === '' ? part : row + gap + part;
    if (stringWidth(longer) > width) break;
    row = longer;
  }
  return row;
}

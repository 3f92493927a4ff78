/** Nothing before U+0300, where combining marks begin, has another normal form. */
const isLatin = /^[\0-\u02ff]*$/;

/**
 * Combining marks in a row that a text may have: a key types no more (see `longestCharacter`), nor does any language need more
 * than 30 (Unicode UAX #15, stream-safe text format). To put n of them into their order takes time that grows as n².
 */
const mostMarks = 31;
// Looks once at each mark: one that comes after another begins no row.
const longRow = new RegExp(`(?<!\\p{M})\\p{M}{${mostMarks + 1}}`, 'u');

/** Where a text has more combining marks in a row than anybody types: the index of the first of them; -1: nowhere. */
export function findManyMarks(text: string): number {
  return text.length <= mostMarks ? -1 : text.search(longRow);
}

/** Unicode's NFC, in which words and keys are compared. A text with more marks in a row than anybody types stays as it is. */
export function toNormal(text: string): string {
  return isLatin.test(text) || findManyMarks(text) >= 0 ? text : text.normalize('NFC');
}

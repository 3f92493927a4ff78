/** Text without characters from U+0300 on, where combining marks begin, is always in NFC. */
const isLatin = /^[\0-\u02ff]*$/;

/**
 * Most combining marks in a row that a text may have: a key types no more (see `maxCharacter`), and no language needs more
 * than 30 (Unicode UAX #15, stream-safe text format). Sorting n of them takes time that grows as n².
 */
const maxMarks = 31;
// The look-behind makes it visit each mark once: a mark after another one does not begin a row.
const longRow = new RegExp(`(?<!\\p{M})\\p{M}{${maxMarks + 1}}`, 'u');

/** Index of the first row of more combining marks than a text may have; -1 if there is none. */
export function findManyMarks(text: string): number {
  return text.length <= maxMarks ? -1 : text.search(longRow);
}

/** NFC, in which words and keys are compared. A text with more marks in a row than allowed stays as it is. */
export function normalForm(text: string): string {
  return isLatin.test(text) || findManyMarks(text) >= 0 ? text : text.normalize('NFC');
}

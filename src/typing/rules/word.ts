/**
 * A word to be typed: a string if each of its characters is one UTF-16 unit, otherwise the list of its
 * characters. Either way, `length` and `[position]` count user-perceived characters.
 */
export type Word = string | readonly string[];

// Created on first use: that takes a hundred times as long as using it, and most servers never need one.
let graphemes: Intl.Segmenter | undefined;

/** UTF-16 units segmented at once: a segmenter's time per unit grows with the length of its text. */
const usualSlice = 64;

/**
 * The user-perceived characters of a text (extended grapheme clusters, Unicode UAX #29), in linear time.
 *
 * Whether there is a boundary between two code points depends only on the text back to the previous boundary.
 * So each slice begins at a boundary, and its last character, perhaps incomplete, begins the next slice.
 */
export function charactersOf(text: string): string[] {
  const characters: string[] = [];
  let size = usualSlice;
  for (let at = 0; ; ) {
    const end = characterEnd(text, at + size);
    const found = segment(text.slice(at, end));
    if (end >= text.length) return characters.concat(found);
    if (found.length === 1) {
      size *= 2;
      continue;
    }
    at = end - (found.pop() as string).length;
    for (const character of found) characters.push(character);
    size = usualSlice;
  }
}

/** Moves the end of a slice out of a surrogate pair: half a mark would not join with its letter. */
export function characterEnd(text: string, end: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(end)) ? end + 1 : end;
}

function segment(text: string): string[] {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/**
 * Words whose characters are one UTF-16 unit each. Nothing before U+0300 joins with its neighbour (a carriage
 * return is in no word), nor does anything in Greek, Cyrillic and Armenian except the marks of old Cyrillic
 * numbers, nor do the letters of Hebrew, Arabic and Georgian, kana, Chinese characters and Hangul syllables.
 */
const isSimple =
  /^[\0-\u02ff\u0370-\u0482\u048a-\u058f\u05d0-\u05ea\u0620-\u064a\u10d0-\u10ff\u3001-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** Of texts without line breaks. Together, because a call of the segmenter for each word takes seven times as long. */
export function wordsOf(texts: readonly string[]): Word[] {
  const normal = texts.map(normalForm);
  const others = [...new Set(normal.filter((text) => !isSimple.test(text)))];
  const segmented: string[][] = others.map(() => []);
  let at = 0;
  // Nothing joins with a line feed.
  for (const character of charactersOf(others.join('\n'))) {
    if (character === '\n') at += 1;
    else segmented[at]?.push(character);
  }
  const words = new Map(others.map((text, place) => [text, segmented[place] as string[]]));
  return normal.map((text) => {
    const characters = words.get(text);
    return characters === undefined || characters.length === text.length ? text : characters;
  });
}

export function wordText(word: Word): string {
  return typeof word === 'string' ? word : word.join('');
}

/** Maximum length of a character in UTF-16 units: emoji need up to 14, stacks of marks have no limit. */
export const maxCharacter = 32;

/**
 * Whether a text is exactly one visible, user-perceived character (an extended grapheme cluster, Unicode UAX
 * #29) without white space and control characters. Ill-formed text (a lone surrogate) is not a character.
 */
export function isOneCharacter(text: string): boolean {
  return isTypable(text) && (text.length === 1 || charactersOf(text).length === 1);
}

/** The same for a text known to be one user-perceived character, such as a character of a word. */
export function isTypable(character: string): boolean {
  if (character.length > maxCharacter || /[\s\p{Cc}\p{Cs}]/u.test(character)) return false;
  // Format characters alone (zero-width spaces, direction marks) are invisible.
  return /\P{Cf}/u.test(character);
}

/**
 * Maximum number of combining marks in a row: a key types no more (see `maxCharacter`), and no language needs
 * more than 30 (Unicode UAX #15, stream-safe text format). Sorting n of them takes n² steps.
 */
const maxMarks = 31;
// Because of the look-behind it visits each mark once: a mark after another one does not begin a row.
const longRow = new RegExp(`(?<!\\p{M})\\p{M}{${maxMarks + 1}}`, 'u');

/** Index of the first row of more combining marks than a text may have; -1 if there is none. */
export function findManyMarks(text: string): number {
  return text.search(longRow);
}

/** NFC, in which words and keys are compared. A text with more marks in a row than allowed stays as it is. */
export function normalForm(text: string): string {
  return findManyMarks(text) >= 0 ? text : text.normalize('NFC');
}

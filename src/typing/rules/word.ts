/**
 * A word to be typed: a string where each of its characters is one UTF-16 unit, else the list of its characters.
 * `length` and `[position]` count user-perceived characters either way.
 */
export type Word = string | readonly string[];

// Constructing a segmenter costs a hundred times more than using it, and most servers never need one.
let graphemes: Intl.Segmenter | undefined;

/** The user-perceived characters of a text (extended grapheme clusters, Unicode UAX #29). */
export function toCharacters(text: string): string[] {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/**
 * Nothing before U+0300, where combining marks begin, joins with its neighbour (a carriage return is in no word), nor does
 * anything of Greek, Cyrillic and Armenian but the marks of old Cyrillic numbers.
 */
const isSimple = /^[\0-\u02ff\u0370-\u0482\u048a-\u058f]*$/;

export function toWord(text: string): Word {
  const normal = text.normalize('NFC');
  if (isSimple.test(normal)) return normal;
  const characters = toCharacters(normal);
  return characters.length === normal.length ? normal : characters;
}

export function toWordText(word: Word): string {
  return typeof word === 'string' ? word : word.join('');
}

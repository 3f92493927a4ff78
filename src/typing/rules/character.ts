import { charactersOf } from './word.ts';

/** Longest accepted character in UTF-16 units: the longest emoji need 14, stacks of combining marks have no limit. */
export const maxCharacter = 32;

/**
 * Whether a text is exactly one visible, user-perceived character (an extended grapheme cluster, Unicode UAX #29)
 * without white space and control characters. Ill-formed text (a lone surrogate) is not a character.
 */
export function isOneCharacter(text: string): boolean {
  return isTypable(text) && (text.length === 1 || charactersOf(text).length === 1);
}

/** The same for a text known to be one user-perceived character, such as a character of a word. */
export function isTypable(character: string): boolean {
  if (character.length === 1) {
    const code = character.charCodeAt(0);
    if (code < 0x7f) return code > 0x20;
  }
  if (character.length === 0 || character.length > maxCharacter) return false;
  if (/[\s\p{Cc}\p{Cs}]/u.test(character)) return false;
  // Format characters alone (zero-width spaces, direction marks) are invisible.
  return /[^\p{Cf}\p{Zl}\p{Zp}]/u.test(character);
}

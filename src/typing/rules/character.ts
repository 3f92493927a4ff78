import { toCharacters } from './word.ts';

/** Longest character taken, in UTF-16 units: the longest emoji need 14, stacks of combining marks have no end. */
export const longestCharacter = 32;

/**
 * Whether a text is exactly one visible, user-perceived character (an extended grapheme cluster, Unicode UAX #29)
 * without white space and control characters. Text that is not well-formed (half a surrogate pair) is no character.
 */
export function isOneCharacter(text: string): boolean {
  if (text.length === 1) {
    const code = text.charCodeAt(0);
    if (code < 0x7f) return code > 0x20;
  }
  if (text.length === 0 || text.length > longestCharacter) return false;
  if (/[\s\p{Cc}\p{Cs}]/u.test(text)) return false;
  // Text of format characters alone (zero-width spaces, direction marks) shows nothing.
  if (!/[^\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return false;
  return toCharacters(text).length === 1;
}

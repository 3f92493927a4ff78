import { isOneCharacter } from '../rules/character.ts';
import { toCharacters, toWord } from '../rules/word.ts';
import type { RoundText } from './material.ts';
import type { Mode } from './mode.ts';

export const longestText = 10_000;

export function toOwnText({ text }: Extract<Mode, { type: 'text' }>): RoundText {
  return toLines(text);
}

/** The words of a text and where its lines end. Indentation and empty lines are not typed. */
export function toLines(text: string): RoundText {
  const words: string[] = [];
  const lineEnds: number[] = [];
  for (const line of text.normalize('NFC').split(/\r\n?|[\n\u2028\u2029]/)) {
    const ofLine = line.split(/\s+/).filter((word) => word !== '');
    if (ofLine.length === 0) continue;
    words.push(...ofLine);
    lineEnds.push(words.length - 1);
  }
  return { words: words.map(toWord), lineEnds };
}

/**
 * Why a text cannot be typed; undefined where it can. Each character must be one that a keystroke can bring: half a
 * surrogate pair, invisible characters and endless stacks of accents cannot.
 */
export function problemOfText(text: string): string | undefined {
  if (text.length > longestText) return `must have at most ${longestText} characters`;
  const { words } = toLines(text);
  if (words.length === 0) return 'must hold something to type';
  for (const [at, word] of words.entries()) {
    const characters = typeof word === 'string' ? toCharacters(word) : word;
    if (!characters.every(isOneCharacter)) return `holds a character in its word ${at + 1} that no key types`;
  }
  return undefined;
}

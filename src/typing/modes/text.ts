import { isTypable } from '../rules/character.ts';
import { findManyMarks, normalForm } from '../rules/normal-form.ts';
import { type Word, wordsOf } from '../rules/word.ts';
import type { Material, RoundText } from './material.ts';
import { type ModeOf, maxText } from './mode.ts';

export function ownText({ text }: ModeOf<'text'>, { before }: Material): RoundText {
  return linedText(text, before);
}

/**
 * The words of a text, the ends of its lines, and their indentation. Indentation and empty lines are not typed.
 *
 * @param before the words of the same text, if known: splitting words into characters is the most expensive step
 */
export function linedText(text: string, before?: readonly Word[]): RoundText {
  const words: string[] = [];
  const lineEnds: number[] = [];
  const indents: number[] = [];
  for (const line of normalForm(text).split(/\r\n?|[\n\u2028\u2029]/)) {
    const ofLine = line.split(/\s+/).filter((word) => word !== '');
    if (ofLine.length === 0) continue;
    words.push(...ofLine);
    lineEnds.push(words.length - 1);
    indents.push(indentOf(line));
  }
  return { words: before?.length === words.length ? before : wordsOf(words), lineEnds, indents };
}

/** Columns between tab stops: few, because terminals are narrow. */
const tabStop = 4;
/** Deepest indentation in columns: deeper lines would begin beyond the edge of small screens. */
const deepest = 40;

function indentOf(line: string): number {
  let columns = 0;
  for (const character of /^\s*/.exec(line)?.[0] ?? '') {
    columns = character === '\t' ? (Math.floor(columns / tabStop) + 1) * tabStop : columns + 1;
  }
  return Math.min(deepest, columns);
}

/**
 * Why a text cannot be typed; undefined if it can. A key must be able to type each character, which excludes lone
 * surrogates, invisible characters and endless stacks of accents.
 */
export function problemOfText(text: string): string | undefined {
  if (text.length > maxText) return `must have at most ${maxText} characters`;
  const marks = findManyMarks(text);
  if (marks >= 0) return untypable(text.slice(0, marks + 1).match(/\S+/g)?.length ?? 1);
  const { words } = linedText(text);
  if (words.length === 0) return 'must have something to type';
  for (const [at, word] of words.entries()) {
    const characters = typeof word === 'string' ? word.split('') : word;
    if (!characters.every(isTypable)) return untypable(at + 1);
  }
  return undefined;
}

function untypable(word: number): string {
  return `holds a character in its word ${word} that no key types`;
}

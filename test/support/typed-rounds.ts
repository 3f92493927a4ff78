import { randomUUID } from 'node:crypto';
import type { StoredRound } from '../../src/server/stores/stored-round.ts';
import { backspaceKey, spaceKey } from '../../src/typing/rules/rules.ts';
import { wordsOf } from '../../src/typing/rules/word.ts';
import { noLabels } from '../server/stores/stored-rounds.ts';

/** Thirty words, 150 letters. */
export const sampleWords =
  'lobster pairs my cluster cricket prefer talks of garden simple lot yellow on between but letter quick jump over a fence and walk with the frozen box in dusk view'.split(
    ' ',
  );

export interface RoundWish extends Partial<Omit<StoredRound, 'words' | 'keys' | 'seekTimes' | 'timing'>> {
  /** When it was finished. */
  readonly at: Date | string;
  /** Standard WPM, exactly; the time follows from it. */
  readonly wpm?: number;
  readonly words?: readonly string[];
  /** Every so many words a letter goes wrong and is corrected; 0: none. */
  readonly slipEvery?: number;
  /** Multiplies the times of these letters: they are slow. */
  readonly slow?: Readonly<Record<string, number>>;
}

/** A finished round of somebody who types at this speed and always slips in the same way. */
export function typedRound(wish: RoundWish): StoredRound {
  const { at, wpm = 60, words = sampleWords, slipEvery = 7, slow = {}, ...rest } = wish;
  const end = new Date(at).getTime();
  const characters = words.join(' ').length;
  const duration = Math.round(((characters - 1) * 12_000) / wpm);
  const keys: string[] = [];
  const seekTimes: number[] = [];
  const pace = duration / (characters + 2 * Math.ceil(words.length / Math.max(1, slipEvery)));
  const type = (key: string, share = 1) => {
    keys.push(key);
    seekTimes.push(keys.length === 1 || key === backspaceKey ? 0 : Math.max(1, Math.round(pace * share)));
  };
  for (const [index, word] of words.entries()) {
    for (const [place, letter] of [...word].entries()) {
      if (slipEvery > 0 && index % slipEvery === 3 && place === 1) {
        type(letter === 'x' ? 'y' : 'x');
        type(backspaceKey);
      }
      type(letter, slow[letter] ?? 0.8 + ((letter.charCodeAt(0) * 7) % 5) / 10);
    }
    type(spaceKey);
  }
  return {
    id: randomUUID(),
    punctuation: false,
    completedAt: new Date(end).toISOString(),
    newBests: undefined,
    ...noLabels,
    ...rest,
    words: wordsOf(words),
    keys,
    seekTimes,
    timing: { start: end - duration, end, duration },
  };
}

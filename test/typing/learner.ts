import { newTypist, type SimulatedTypist } from './simulated-typist.ts';

/** A key never takes less than this, in milliseconds. */
const floorMs = 140;
/** Exponent and scale of the power law of practice (Newell & Rosenbloom 1981): each time counts less than the one before. */
const exponent = 0.5;
const scale = 20;

export interface Learner extends SimulatedTypist {
  /** Milliseconds that the letters of these words take on average, as practised so far. */
  readonly averageOf: (words: readonly string[]) => number;
}

/**
 * A typist who gets faster with every pair of letters: `startOf` says how far above the floor each begins, in milliseconds.
 */
export function newLearner(startOf: (pair: string) => number): Learner {
  const practised = new Map<string, number>();
  const timeOf = (letter: string, before = ' ') => {
    const pair = before + letter;
    return floorMs + startOf(pair) * (1 + (practised.get(pair) ?? 0) / scale) ** -exponent;
  };
  const averageOf = (words: readonly string[]) => {
    let [ms, count] = [0, 0];
    for (const word of words) {
      for (let at = 0; at < word.length; at++, count++) {
        ms += timeOf(word.charAt(at), at > 0 ? word.charAt(at - 1) : undefined);
      }
    }
    return ms / count;
  };
  return {
    ...newTypist({ missesOf: () => 0.02 }),
    timeOf,
    learn: (letter, before = ' ') =>
      practised.set(before + letter, (practised.get(before + letter) ?? 0) + 1),
    averageOf,
  };
}

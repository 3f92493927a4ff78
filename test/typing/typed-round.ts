import { newRound, type Round, reduceRound } from '../../src/typing/round.ts';
import { newInput } from '../../src/typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../src/typing/rules/rules.ts';
import type { InputResult } from '../../src/typing/rules/step.ts';

/** Types a text into a round: `_` is space, `<` backspace, all else itself. Returns the round and every result. */
export function type(words: string, text: string, ms = 100): { round: Round; results: InputResult[] } {
  return typeInto(newRound('r', words.split(' ')), text, ms);
}

export function typeInto(start: Round, text: string, ms = 100): { round: Round; results: InputResult[] } {
  let round = start;
  const results: InputResult[] = [];
  for (const sign of text) {
    const reduction = reduceRound(round, newInput(toKey(sign), ms));
    if ('problem' in reduction) throw new Error(reduction.problem.message);
    round = reduction.round;
    results.push(reduction.result);
  }
  return { round, results };
}

export function toKey(sign: string): string {
  if (sign === '_') return spaceKey;
  return sign === '<' ? backspaceKey : sign;
}

import { english, type LanguageOf } from '../../src/typing/letters/language.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { addRoundsInSteps, type History } from '../../src/typing/statistics/history.ts';

/** A copy of the history with these rounds added. */
export function foldRounds(
  history: History,
  rounds: Iterable<FinishedRound>,
  languageOf: LanguageOf = () => english,
  maxKinds?: number,
): History {
  const steps = addRoundsInSteps(history, rounds, languageOf, maxKinds);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

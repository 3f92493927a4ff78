import { english, type Language } from '../../typing/letters/language.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { retypeRound } from '../../typing/statistics/finished-round.ts';
import { createKeyCounter, newKeyTally } from '../../typing/statistics/key-tally.ts';
import { type LocalRound, toKey } from './round.ts';
import { countSignErrors, type KeyError, toKeyErrors } from './sign-errors.ts';

/** Sums of one letter over one round, counted by the rules of the session API's historical statistics. */
export interface LetterSums {
  /** Times the letter occurred in the words. */
  readonly presented: number;
  /** Times its first keystroke was right. */
  readonly correct: number;
  /** Sum of the measured seek times of right keystrokes, ms, and how many there were. */
  readonly seekMs: number;
  readonly seekCount: number;
}

export interface RoundSummary {
  readonly letters: Readonly<Record<string, LetterSums>>;
  /** Wanted letter or sign and what was typed instead, such as "e>r", and how often. */
  readonly errors: Readonly<Record<string, number>>;
  /** Two right letters one directly after the other: how often, and the sum of the seek times of the second, ms. */
  readonly bigrams: Readonly<Record<string, { readonly count: number; readonly ms: number }>>;
}

/** Counts the letters and errors of a complete round by playing its inputs again. */
export function summarizeRound(round: LocalRound): RoundSummary {
  const tally = newKeyTally();
  const count = createKeyCounter(tally, toLanguage(round));
  const reports = toReports(round);
  for (const report of reports) count(report);
  return {
    letters: Object.fromEntries(
      Object.entries(tally.letters).map(([letter, { presented, correct, seekMs, seekCount }]) => [
        letter,
        { presented, correct, seekMs, seekCount },
      ]),
    ),
    errors: {
      ...Object.fromEntries(
        Object.entries(tally.errors).map(([pair, count]) => [`${pair[0]}>${pair[1]}`, count]),
      ),
      ...countSignErrors(reports),
    },
    bigrams: Object.fromEntries(
      Object.entries(tally.bigrams).map(([pair, { count, ms }]) => [pair, { count, ms }]),
    ),
  };
}

/** The letters that its words are made of: the client need not ask the server for the alphabet. */
function toLanguage({ words, practised: { language } }: LocalRound): Language {
  const found = new Set(english.alphabet);
  for (const letter of words.join('').toLocaleLowerCase(language)) {
    if (letter.length === 1 && /\p{L}/u.test(letter)) found.add(letter);
  }
  return { id: language, name: language, alphabet: [...found].join('') };
}

/** Wrong keys for or with signs and digits, the most frequent first. */
export function toSignErrors(round: LocalRound): KeyError[] {
  return toKeyErrors(countSignErrors(toReports(round)));
}

/** What each input of a round did, oldest first. */
export function toReports({ targets: words, rules, inputs }: LocalRound): KeyReport[] {
  const reports: KeyReport[] = [];
  const seekTimes = inputs.map(({ seek }) => seek);
  retypeRound({ words, rules, keys: inputs.map(toKey), seekTimes }, (report) => reports.push(report));
  return reports;
}

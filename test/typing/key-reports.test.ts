import { expect, test } from 'vitest';
import { copyProgress, noProgress } from '../../src/typing/rules/progress.ts';
import {
  backspaceKey,
  defaultRules,
  isDefaultRules,
  type Rules,
  ruleValues,
} from '../../src/typing/rules/rules.ts';
import { type KeyReport, step } from '../../src/typing/rules/step.ts';

const words = ['it', 'is'];

/** Everything that the last of some keys did, each sought for 100 ms. */
function lastReport(keys: string, rules: Partial<Rules> = {}): KeyReport {
  const progress = copyProgress(noProgress);
  let report: KeyReport | undefined;
  for (const key of keys) {
    const outcome = step(
      words,
      { ...defaultRules, ...rules },
      progress,
      key === '<' ? backspaceKey : key,
      100,
    );
    if ('problem' in outcome) throw new Error(outcome.problem.message);
    report = outcome.report;
  }
  return report as KeyReport;
}

/** A report of a key that had no effect at all. */
const nothing = {
  ...{ kind: 'nothing', key: ' ', ms: 100, word: 'it', at: 0 },
  ...{ isRight: false, isFirst: false, isAgain: false, isKept: false },
  ...{ isTimed: false, startsTimer: false, omitted: 0, unreached: 0, endsRound: false },
};

test.each<[string, string, Partial<Rules>, Partial<KeyReport>]>([
  ['a space before the first key', ' ', {}, {}],
  ['a space that the rules stop', 'x ', { stopOn: 'word', earlySpace: 'skip' }, { at: 1 }],
  ['a backspace at the beginning of a word', '<', {}, { key: backspaceKey, ms: 0 }],
  [
    'a backspace that the rules forbid',
    'i<',
    { backspace: 'none' },
    { key: backspaceKey, ms: 0, at: 1, isTimed: true },
  ],
])('%s has no effect', (_, keys, rules, differing) => {
  expect(lastReport(keys, rules)).toEqual({ ...nothing, ...differing });
});

test.each<[string, string, Partial<Rules>, Partial<KeyReport>]>([
  [
    'the first right key',
    'i',
    {},
    { kind: 'character', key: 'i', isRight: true, isFirst: true, isKept: true, startsTimer: true },
  ],
  [
    'a wrong key that the rules keep out of the word',
    'ix',
    { stopOn: 'letter' },
    { kind: 'character', key: 'x', at: 1, isFirst: true, isTimed: true },
  ],
  [
    'a right key typed once more',
    'it<t',
    {},
    { kind: 'character', key: 't', at: 1, isRight: true, isAgain: true, isKept: true, isTimed: true },
  ],
  [
    'a deleted right key',
    'it<',
    {},
    { kind: 'deletion', key: 't', ms: 0, at: 1, isRight: true, isTimed: true },
  ],
  ['a deleted wrong key', 'ix<', {}, { kind: 'deletion', key: 'x', ms: 0, at: 1, isTimed: true }],
  ['the end of a word', 'it ', {}, { kind: 'advance', at: 2, isTimed: true }],
  [
    'the end of a word that was left early',
    'i ',
    { earlySpace: 'skip' },
    { kind: 'advance', at: 1, isTimed: true, omitted: 1, unreached: 1 },
  ],
  [
    'the end of a round',
    'it is ',
    {},
    { kind: 'advance', word: 'is', at: 2, isTimed: true, endsRound: true },
  ],
])('%s is reported with all that it did', (_, keys, rules, differing) => {
  expect(lastReport(keys, rules)).toEqual({ ...nothing, ...differing });
});

test('rules are the default ones exactly if each of them is', () => {
  for (const earlySpace of ruleValues.earlySpace) {
    for (const stopOn of ruleValues.stopOn) {
      for (const backspace of ruleValues.backspace) {
        const isDefault = earlySpace === 'error' && stopOn === 'none' && backspace === 'free';
        expect(isDefaultRules({ earlySpace, stopOn, backspace })).toBe(isDefault);
      }
    }
  }
});

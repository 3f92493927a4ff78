import { expect, test } from 'vitest';
import { type Fate, toEstimate, toSurvivorList, toTable, type Verdict } from './report.ts';

const verdicts: readonly Verdict[] = ['killed', 'killed', 'timed out', 'noticed later', 'survived'];
const fates = verdicts.map(
  (verdict, at): Fate => ({ id: `${at}`, file: 'a.ts', line: at + 1, column: 1, verdict, change: '1 → 2' }),
);

test('a mutant that only slower tests notice counts as noticed, and is told apart', () => {
  expect(toTable(fates)).toContain('| all | 5 | 2 | 1 | 1 | 1 | 80.0 % |');
  expect(toEstimate(fates)).toContain(
    'Of 5 drawn mutants, fast tests noticed 3, and slower ones 1 of the others: 80.0 %',
  );
  expect(toSurvivorList(fates)).toBe('Survivors:\na.ts:5:1 1 → 2');
});

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type MutantResult, Stryker } from '@stryker-mutator/core';
import type { Fate, Verdict } from './report.ts';
import type { Room } from './rooms.ts';
import type { Choice, Sample } from './sample.ts';

/** Undefined where a mutant could not even be loaded, and so proves nothing, and where it was not drawn. */
const verdicts: Readonly<Partial<Record<MutantResult['status'], Verdict>>> = {
  Killed: 'killed',
  Timeout: 'timed out',
  Survived: 'survived',
  NoCoverage: 'survived',
};

/** Runs all mutants of these files against the fast tests; those of a sample that survive them, also against slower ones. */
export async function runMutants(
  files: readonly string[],
  { tests, slower = [] }: Pick<Room, 'tests' | 'slower'>,
  sample?: Sample,
): Promise<Fate[]> {
  const fates = await runAgainst(tests, files, sample);
  const survivors = fates.filter(({ verdict }) => verdict === 'survived').map(({ id }) => id);
  if (sample === undefined || slower.length === 0 || survivors.length === 0) return fates;
  const later = await runAgainst(slower, files, survivors);
  const noticed = new Set(later.filter(({ verdict }) => verdict !== 'survived').map(({ id }) => id));
  return fates.map((fate) => (noticed.has(fate.id) ? { ...fate, verdict: 'noticed later' } : fate));
}

/** Runs mutants against those of the tests that reach them, in copies of the project beside it. */
async function runAgainst(
  tests: readonly string[],
  files: readonly string[],
  choice?: Choice,
): Promise<Fate[]> {
  process.env.TYPEBADGE_MUTANT_TESTS = JSON.stringify(tests);
  process.env.TYPEBADGE_MUTANT_CHOICE = JSON.stringify(choice);
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './test/mutation/sample-checker.mjs'],
    checkers: choice === undefined ? [] : ['sample'],
    // Not only related files: what no test of the room reaches is to be counted, too.
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // With two, one process is the checker, and so knows all mutants.
    concurrency: 2,
    // Tests that weigh memory collect garbage first.
    testRunnerNodeArgs: ['--expose-gc'],
    // A mutant that loops for ever is one that a test would have caught by not ending.
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 10,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    warnings: false,
    tempDirName: '.mutants',
    cleanTempDir: 'always',
    // Without a tsconfig to rewrite: nothing is compiled.
    tsconfigFile: 'none',
    ignorePatterns: [
      '*',
      '!{package,tsconfig}.json',
      '!{bin,src,content,test,dist}/**',
      'node_modules',
      'test/{bench,mutation/node_modules}',
    ],
  }).runMutationTest();
  return results.flatMap(toFate);
}

function toFate(mutant: MutantResult): Fate[] {
  const verdict = verdicts[mutant.status];
  if (verdict === undefined) return [];
  const { line, column } = mutant.location.start;
  const reach = mutant.status === 'NoCoverage' ? ' (no test reaches it)' : '';
  const change = `${mutant.mutatorName}${reach}: ${toOneLine(originalOf(mutant))} → ${toOneLine(mutant.replacement ?? '')}`;
  return [{ id: mutant.id, file: relative('.', mutant.fileName), line, column, verdict, change }];
}

/** The text that a mutant replaces. Lines and columns count from 1. */
function originalOf({ fileName, location: { start, end } }: MutantResult): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines.push((lines.pop() ?? '').slice(0, end.column - 1));
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}

function toOneLine(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}

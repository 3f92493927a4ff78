import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type MutantResult, Stryker } from '@stryker-mutator/core';
import { groups } from './groups.ts';

type Verdict = 'killed' | 'timed out' | 'survived';

/** What became of a mutant; undefined where it could not even be loaded, and so proves nothing. */
const verdicts: Readonly<Partial<Record<MutantResult['status'], Verdict>>> = {
  Killed: 'killed',
  Timeout: 'timed out',
  Survived: 'survived',
  NoCoverage: 'survived',
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in groups) && !name.startsWith('src/'));
if (unknown.length > 0) {
  console.error(
    `No group is called ${unknown.join(', ')}; there are ${Object.keys(groups).join(', ')}, or name files below src/.`,
  );
  process.exitCode = 2;
} else {
  const files = asked.filter((name) => name.startsWith('src/'));
  const named = asked.length === 0 ? Object.keys(groups) : asked.filter((name) => name in groups);
  const runs = [
    ...named.map((name) => groups[name] as readonly string[]),
    ...(files.length > 0 ? [files] : []),
  ];
  const results: MutantResult[] = [];
  for (const mutate of runs) results.push(...(await runMutants(mutate)));
  console.log(`\n${toTable(results)}\n\n${toSurvivorList(results)}`);
}

/** Runs every mutant of these files against the tests that reach it, in copies of the project beside it. */
function runMutants(mutate: readonly string[]): Promise<MutantResult[]> {
  return new Stryker({
    mutate: [...mutate],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // A mutant that loops for ever is one that a test would have caught by not ending.
    timeoutMS: 10_000,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    warnings: false,
    tempDirName: '.mutants',
    cleanTempDir: 'always',
    // Without a tsconfig to rewrite: nothing is compiled.
    tsconfigFile: 'none',
    ignorePatterns: ['*', '!{package,tsconfig}.json', '!{src,content,test}/**', 'node_modules', 'test/bench'],
  }).runMutationTest();
}

function toTable(results: readonly MutantResult[]): string {
  const files = [...new Set(results.map(({ fileName }) => fileName))].sort();
  const rows = files.map((file) =>
    toRow(
      nameOf(file),
      results.filter(({ fileName }) => fileName === file),
    ),
  );
  return [
    '| File | Mutants | Killed | Timed out | Survived | Score |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    toRow('all', results),
  ].join('\n');
}

/** The score is the share of mutants that the tests noticed. */
function toRow(name: string, results: readonly MutantResult[]): string {
  const told = results.map(({ status }) => verdicts[status]).filter((verdict) => verdict !== undefined);
  const [killed, timedOut, survived] = (['killed', 'timed out', 'survived'] as const).map(
    (kind) => told.filter((verdict) => verdict === kind).length,
  ) as [number, number, number];
  const score = told.length === 0 ? '–' : `${((100 * (killed + timedOut)) / told.length).toFixed(1)} %`;
  return `| ${name} | ${told.length} | ${killed} | ${timedOut} | ${survived} | ${score} |`;
}

function toSurvivorList(results: readonly MutantResult[]): string {
  const lines = results
    .filter(({ status }) => verdicts[status] === 'survived')
    .map((mutant) => {
      const { line, column } = mutant.location.start;
      const reach = mutant.status === 'NoCoverage' ? ' (no test reaches it)' : '';
      const change = `${toOneLine(originalOf(mutant))} → ${toOneLine(mutant.replacement ?? '')}`;
      return `${nameOf(mutant.fileName)}:${line}:${column} ${mutant.mutatorName}${reach}: ${change}`;
    });
  return lines.length === 0 ? 'No mutant survived.' : ['Survivors:', ...lines].join('\n');
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

function nameOf(file: string): string {
  return relative('.', file);
}

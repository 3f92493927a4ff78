// Breaks the code on purpose and sees whether the tests notice: `npm run mutants -- [room …] [--sample 60] [--seed 1]`.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type MutantResult, Stryker } from '@stryker-mutator/core';

/** What is mutated, and the fast tests that should notice, as each mutant runs all of them that reach it. */
const rooms: Readonly<Record<string, { readonly source: string; readonly tests: readonly string[] }>> = {
  contract: {
    source: 'src/contract/**/*.ts',
    tests: ['test/contract/*.test.ts', 'test/tui/link/*.test.ts', 'test/cli/{desk/desk,play-server}.test.ts'],
  },
  typing: {
    source: 'src/typing/**/*.ts',
    tests: ['test/{typing,tui/round}/*.test.ts', 'test/contract/{requests,wire-names}.test.ts'],
  },
  announcements: {
    source: 'src/announcements/**/*.ts',
    tests: [
      'test/announcements/**/*.test.ts',
      'test/cli/{announce,announce-{audience,preview-reader,readers,screens},help}.test.ts',
      'test/server/{badge/{answers,feeds,pictures},desk/desk-api,stores/content/history-file}.test.ts',
    ],
  },
  http: {
    source: 'src/server/http/**/*.ts',
    tests: [
      'test/server/http/*.test.ts',
      'test/server/{attacks,base-path,http-matrix,rate-limits}.test.ts',
      'test/server/typing/typing-api.test.ts',
    ],
  },
  stores: {
    source: 'src/server/stores/**/!(redis*|shared-limits|shared-stores|store-connection).ts',
    tests: [
      'test/server/stores/{content,records}/!(record-processes|shared-limits|store-connection|store-tls).test.ts',
      'test/server/stores/!(two-containers|typing-few-files|typing-processes).test.ts',
      'test/server/typing/{change-twice,player-restarts,player-rounds,players,round-upload,turns,typing-api}.test.ts',
      'test/server/{desk/desk-{answers,api},webhooks/outbox-state}.test.ts',
      'test/cli/{announce,export,import,new-folder,special-files,store/store}.test.ts',
    ],
  },
  desk: {
    source: 'src/server/desk/**/*.ts',
    tests: [
      'test/server/desk/*.test.ts',
      'test/cli/{desk/desk,announce,announce-{editor,preview-reader,readers}}.test.ts',
    ],
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const sample = { size: Number(values.sample), seed: Number(values.seed) };
const unknown = positionals.filter((name) => !(name in rooms));
if (unknown.length > 0 || !(sample.size >= 1) || !Number.isInteger(sample.seed)) {
  console.error(`Name rooms (${Object.keys(rooms).join(', ')}), and give --sample and --seed whole numbers.`);
  process.exitCode = 2;
} else {
  for (const name of positionals.length > 0 ? positionals : Object.keys(rooms)) await examine(name);
}

async function examine(name: string): Promise<void> {
  const { source, tests } = rooms[name] as (typeof rooms)[string];
  const results = await run(source, tests);
  // A mutant that cannot be loaded proves nothing; one that never ends would have been noticed by that.
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const drawn = survivors.length + results.filter(({ status }) => /^(?:Killed|Timeout)$/.test(status)).length;
  const noticed = drawn - survivors.length;
  const share = ((100 * noticed) / drawn).toFixed(1);
  console.log(`${name}: tests noticed ${noticed} of ${drawn} mutants, ${share} %.`);
  for (const mutant of survivors) console.log(`  ${describe(mutant)}`);
}

/** Runs a sample of the mutants of these files against those of the tests that reach them, in a copy of the project. */
function run(source: string, tests: readonly string[]): Promise<MutantResult[]> {
  process.env.TYPEBADGE_MUTANT_TESTS = JSON.stringify(tests);
  process.env.TYPEBADGE_MUTANT_SAMPLE = JSON.stringify(sample);
  return new Stryker({
    mutate: [source],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './test/mutation/sample-checker.mjs'],
    checkers: ['sample'],
    // Not only related files: what no test of the room reaches is to be counted, too.
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // With two, one process is the checker, and so knows all mutants.
    concurrency: 2,
    // Tests that weigh memory collect garbage first.
    testRunnerNodeArgs: ['--expose-gc'],
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 10,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    warnings: false,
    // It would write a line into the built scripts, too.
    disableTypeChecks: false,
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
}

/** Where a mutant is, and what it changes. Lines and columns count from 1. */
function describe({ fileName, location, mutatorName, replacement = '' }: MutantResult): string {
  const { start, end } = location;
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines.push((lines.pop() ?? '').slice(0, end.column - 1));
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  const [before, after] = [lines.join('\n'), replacement].map((code) =>
    code.replace(/\s+/g, ' ').slice(0, 90),
  );
  return `${relative('.', fileName)}:${start.line}:${start.column} ${mutatorName}: ${before} → ${after}`;
}

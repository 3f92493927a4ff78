import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { together } from './test/together.ts';

const programs = [
  'test/{browser,cli,deploy,fuzz,newcomer,terminal}/**/*.test.{ts,tsx}',
  'test/server/{replicas,stores,webhooks,workers}/**/*.test.ts',
  'test/server/*.test.ts',
];
const exclude = ['test/{bench,mutation}/node_modules/**'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    // More than the cores of a small machine: many files wait most of their time, for a terminal, a browser or a lease.
    maxWorkers: Math.min(8, availableParallelism() + 2),
    sequence: { sequencer: LongestFirst },
    // A gate on a machine that others use, too, tries a failed test once more and marks it in the report; at home it fails at once.
    retry: process.env.CI === 'true' ? 1 : 0,
    // Tests that weigh memory collect garbage first.
    execArgv: ['--expose-gc'],
    projects: [
      { extends: true, test: { name: 'together', include: [...together], exclude, isolate: false } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...together, ...programs],
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: programs,
          exclude,
          // They start programs, browsers, terminals and stores: one that takes 10 s alone took 65 s with a load of 18 on two cores.
          testTimeout: 150_000,
          hookTimeout: 150_000,
        },
      },
    ],
  },
});

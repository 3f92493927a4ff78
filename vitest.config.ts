import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { together } from './test/together.ts';

const exclude = ['test/{bench,mutation}/node_modules/**'];

export default defineConfig({
  test: {
    // Real servers, browsers and terminals on a busy two-core machine: generous, so that only a real hang fails.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 20_000 } },
    // More than the cores of a small machine: many files wait most of their time, for a terminal, a browser or a lease.
    maxWorkers: Math.min(8, availableParallelism() + 2),
    sequence: { sequencer: LongestFirst },
    // A gate on a machine that others use, too, tries a failed test once more and marks it in the report; at home it fails at once.
    retry: process.env.CI === 'true' ? 1 : 0,
    // Tests that weigh memory collect garbage first.
    execArgv: ['--expose-gc'],
    projects: [
      {
        extends: true,
        test: { name: 'apart', include: ['test/**/*.test.{ts,tsx}'], exclude: [...exclude, ...together] },
      },
      { extends: true, test: { name: 'together', include: [...together], exclude, isolate: false } },
    ],
  },
});

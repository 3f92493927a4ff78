import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/{bench,mutation}/node_modules/**'],
    // Real servers, browsers and terminals on a busy two-core machine: generous, so that only a real hang fails.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A gate on a machine that others use, too, tries a failed test once more and marks it in the report; at home it fails at once.
    retry: process.env.CI === 'true' ? 1 : 0,
    // Tests that weigh memory collect garbage first.
    execArgv: ['--expose-gc'],
  },
});

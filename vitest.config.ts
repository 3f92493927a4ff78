import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/{bench,mutation}/node_modules/**'],
    // Real servers, browsers and terminals on a busy two-core machine: generous, so that only a real hang fails.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Tests that weigh memory collect garbage first.
    execArgv: ['--expose-gc'],
  },
});

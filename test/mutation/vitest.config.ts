import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { UnloadedFiles } from './unloaded-files.ts';

/** Only the tests of the room: the others would take days. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.TYPEBADGE_MUTANT_TESTS ?? '[]'),
    alias: [
      { find: /^fast-check$/, replacement: fileURLToPath(new URL('fewer-examples.ts', import.meta.url)) },
    ],
    testTimeout: 120_000,
    reporters: [new UnloadedFiles()],
  },
});

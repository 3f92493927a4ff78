import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Only tests that run in this process, in moments: servers, terminals and whole practice courses for each mutant would take days. */
export default defineConfig({
  test: {
    include: [
      'test/typing/*.test.ts',
      'test/server/http/*.test.ts',
      'test/announcements/*.test.ts',
      'test/server/stores/content/history-file.test.ts',
      'test/server/stores/files/sessions/session-log.test.ts',
      'test/tui/round/*.test.ts',
    ],
    exclude: ['test/server/http/{listener,*-memory}.test.ts', 'test/typing/adaptation.test.ts'],
    alias: [
      { find: /^fast-check$/, replacement: fileURLToPath(new URL('fewer-examples.ts', import.meta.url)) },
    ],
    testTimeout: 120_000,
  },
});

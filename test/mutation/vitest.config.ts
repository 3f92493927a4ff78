import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Only tests that run in this process, in moments: servers, terminals and whole practice courses for each mutant would take days. */
export default defineConfig({
  test: {
    include: [
      'test/server/typing/*.test.ts',
      'test/server/http/*.test.ts',
      'test/server/badge/{history-edit,history-file,instant,link,message,schedule,timestamps}.test.ts',
      'test/server/sessions/session-log-line.test.ts',
      'test/tui/game/*.test.ts',
    ],
    exclude: ['test/server/http/{listener,*-memory}.test.ts', 'test/server/typing/adaptation.test.ts'],
    alias: [
      { find: /^fast-check$/, replacement: fileURLToPath(new URL('fewer-examples.ts', import.meta.url)) },
    ],
    testTimeout: 120_000,
  },
});

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Reporter, Vitest } from 'vitest/node';

let vitest: Vitest | undefined;

/**
 * The mutation tester looks at tests alone, and a file that cannot be loaded has none: a mutant that breaks what a file computes
 * before its tests would count as unnoticed. Such a file gets a test that failed.
 */
const unloadedFiles: Reporter = {
  onInit(started) {
    vitest = started;
  },
  onTestRunEnd() {
    // What fails outside of tests may be left over from the mutant before, and would hide that this one was not noticed.
    vitest?.state.errorsSet.clear();
    for (const file of vitest?.state.getFiles() ?? []) {
      if (file.result?.state !== 'fail' || file.tasks.length > 0) continue;
      const name = 'is loaded';
      file.tasks.push({
        ...{ type: 'test', id: `${file.id}_0`, name, fullName: name, fullTestName: name, mode: 'run' },
        ...{ file, suite: file, meta: {}, timeout: 0, annotations: [], artifacts: [] },
        ...{ context: {} as never, result: file.result },
      });
    }
  },
};

/** Only the tests of the room: the others would take days. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.TYPEBADGE_MUTANT_TESTS ?? '[]'),
    alias: [
      { find: /^fast-check$/, replacement: fileURLToPath(new URL('fewer-examples.ts', import.meta.url)) },
    ],
    setupFiles: [fileURLToPath(new URL('same-folder.ts', import.meta.url))],
    testTimeout: 120_000,
    reporters: [unloadedFiles],
  },
});

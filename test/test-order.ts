import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * The test files that take longest, in this order. A fresh clone has no record of earlier runs, and a long file that starts last
 * keeps everybody waiting.
 */
export const longestFiles: readonly string[] = [
  'test/deploy/container.test.ts',
  'test/newcomer/package.test.ts',
  'test/terminal/play.test.ts',
  'test/browser/desk-page.test.ts',
  'test/newcomer/documented-commands.test.ts',
  'test/server/webhooks/webhooks-kill.test.ts',
  'test/terminal/play-modes.test.ts',
  'test/browser/engines/in-engines.test.ts',
  'test/server/stores/content/content-store.test.ts',
  'test/server/replicas/torture/torture.test.ts',
  'test/server/typing/typing-oracle.test.ts',
  'test/browser/badge-access.test.ts',
  'test/terminal/play-rounds.test.ts',
  'test/terminal/play-start.test.ts',
  'test/browser/badge-life.test.ts',
  'test/browser/badge-screens.test.ts',
  'test/browser/public-pages.test.ts',
  'test/browser/badge-options.test.ts',
  'test/deploy/reverse-proxy.test.ts',
  'test/server/stores/records/file-records.test.ts',
  'test/cli/store/store.test.ts',
  'test/server/connection-attacks.test.ts',
  'test/cli/serve-signals.test.ts',
  'test/server/webhooks/webhooks.test.ts',
  'test/browser/badge-news.test.ts',
  'test/server/http/listener.test.ts',
  'test/server/clock-jumps.test.ts',
  'test/browser/badge-cost.test.ts',
  'test/server/workers/workers.test.ts',
  'test/cli/announce-terminal.test.ts',
  'test/browser/badge-failures.test.ts',
  'test/server/stores/typing-processes.test.ts',
  'test/browser/badge-memory.test.ts',
  'test/browser/badge-bar.test.ts',
  'test/cli/serve-store.test.ts',
  'test/terminal/play-closed.test.ts',
  'test/cli/remote-editor.test.ts',
  'test/cli/serve.test.ts',
  'test/server/replicas/shared-content.test.ts',
  'test/cli/doctor.test.ts',
  'test/browser/badge-safety.test.ts',
  'test/cli/desk/desk.test.ts',
  'test/server/typing/hostile-rounds.test.ts',
  'test/terminal/two-plays.test.ts',
  'test/server/metrics/serve-metrics.test.ts',
  'test/server/replicas/store-faults.test.ts',
  'test/server/http/connection-bounds.test.ts',
  'test/tui/screens/hostile-text.test.ts',
];

/** Folders whose tests change nothing in their process, and have their servers, if any, inside it. */
const folders = [
  ...['announcements', 'content', 'contract', 'kit', 'tui', 'typing'],
  ...['badge', 'desk', 'http', 'settings', 'typing'].map((folder) => `server/${folder}`),
];

/** Of these folders: what weighs memory or processor time, or replaces the output of the process. */
const measuring = new Set([
  'test/server/desk/desk-attacks.test.ts',
  'test/server/http/client.test.ts',
  'test/server/http/rate-limiter.test.ts',
  'test/typing/character.test.ts',
  'test/typing/normal-form.test.ts',
]);

/**
 * Test files of which one process runs many, one after the other: starting a process and importing the same modules cost more than
 * most of them. Each other file has a process of its own, and so has what takes long, to start early.
 */
export const together: readonly string[] = folders.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${folder}/${name.replaceAll(sep, '/')}`)
    .filter((path) => /\.test\.tsx?$/.test(path) && !measuring.has(path) && !longestFiles.includes(path)),
);

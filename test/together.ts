import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { longestFiles } from './longest-files.ts';

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
  'test/server/typing/text-costs.test.ts',
  'test/typing/character.test.ts',
  'test/typing/normal-form.test.ts',
]);

/**
 * Test files of which one process runs many, one after the other: starting a process and importing the same modules
 * cost more than most of them. Each other file has a process of its own, and so has what takes long, to start early.
 */
export const together: readonly string[] = folders.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${folder}/${name.replaceAll(sep, '/')}`)
    .filter((path) => /\.test\.tsx?$/.test(path) && !measuring.has(path) && !(path in longestFiles)),
);

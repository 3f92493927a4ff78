// Counts the functions of src that one keystroke runs, from the socket to the store. Prints them by file.

import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../src/kit/package-files.ts';
import { newServeConfig } from '../../src/server/settings/config.ts';
import { startServer } from '../../src/server/start.ts';

const data = await mkdtemp(join(tmpdir(), 'typebadge-keystroke-'));
const content = packageFile('content/sample');
const server = await startServer(newServeConfig({ port: 0, content, data, log: 'off' }));

async function post<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${server.url}/api/sessions${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

const { session_id: id } = await post<{ session_id: string }>('');
const { words } = await post<{ words: string[] }>(`/${id}/round`);
const keys = [...(words[0] ?? '')].map((char, at) => ({ char, seek_time_ms: 100, seq: at + 1 }));
const [first, second] = keys;
await post(`/${id}/keystroke`, first);

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await inspector.post('Profiler.takePreciseCoverage');
await post(`/${id}/keystroke`, second);
const { result } = await inspector.post('Profiler.takePreciseCoverage');
inspector.disconnect();

const source = packageFile('src');
const files = result.flatMap(({ url, functions }) => {
  if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(source)) return [];
  const run = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
  const names = run.map(({ functionName }) => functionName || '(anonymous)');
  return names.length === 0 ? [] : [{ file: relative(source, fileURLToPath(url)), names }];
});
for (const { file, names } of files) console.log(`${file}: ${names.join(', ')}`);
const count = files.reduce((sum, { names }) => sum + names.length, 0);
console.log(`${count} functions in ${files.length} files.`);
await server.close();
await rm(data, { recursive: true, force: true });

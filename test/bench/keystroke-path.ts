// Counts the functions of src that one keystroke runs, from the socket to the store. Prints them by file.
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../src/kit/package-files.ts';
import { startTestServer } from '../support/test-server.ts';
import { createTypingClient, flawless } from '../support/typing-client.ts';

const server = await startTestServer();
const client = createTypingClient(server.port);
const id = await client.createSession();
const keys = flawless((await client.startRound(id)).words);
const press = (at: number) => client.call('POST', `/sessions/${id}/keystroke`, keys[at]);
await press(0);

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await inspector.post('Profiler.takePreciseCoverage');
await press(1);
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
console.log(`${files.flatMap(({ names }) => names).length} functions in ${files.length} files.`);
await server.close();

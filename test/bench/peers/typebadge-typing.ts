import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../../src/kit/package-files.ts';
import { newServeConfig } from '../../../src/server/settings/config.ts';
import { startServer } from '../../../src/server/start.ts';

// The whole server as it runs on loopback. Its argument, if any, is a data folder to keep.
const data = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'typebadge-bench-')));
const server = await startServer(
  newServeConfig({ port: 0, content: packageFile('content'), data, maxSessions: 100_000, log: 'off' }),
);
process.stdout.write(`${server.url}\n`);
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.on('SIGTERM', async () => {
  await server.close();
  if (process.argv[2] === undefined) await rm(data, { recursive: true, force: true });
  process.exit();
});

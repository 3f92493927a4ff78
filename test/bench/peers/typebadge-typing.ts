import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../../src/kit/package-files.ts';
import { newServeConfig } from '../../../src/server/settings/config.ts';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import { startServer } from '../../../src/server/start.ts';

// The whole server as it runs on loopback. Its arguments, if any, are a data folder to keep, and the address of a store.
const [kept, storeUrl] = process.argv.slice(2);
const data = kept ?? (await mkdtemp(join(tmpdir(), 'typebadge-bench-')));
const store = storeUrl === undefined ? undefined : parseStoreUrl(storeUrl);
if (store !== undefined && 'problem' in store) throw new Error(store.problem);
const server = await startServer(
  newServeConfig({
    port: 0,
    content: packageFile('content/sample'),
    data,
    store,
    maxSessions: 100_000,
    log: 'off',
  }),
);
process.stdout.write(`${server.url}\n`);
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.on('SIGTERM', async () => {
  await server.close();
  if (kept === undefined) await rm(data, { recursive: true, force: true });
  process.exit();
});

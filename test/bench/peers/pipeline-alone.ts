import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../../src/kit/package-files.ts';
import { createApp } from '../../../src/server/app.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import { openFileStores } from '../../../src/server/stores/open-stores.ts';
import { median } from '../statistics.ts';
import { newOpenConfig } from './open-config.ts';

// Everything of ours that a request goes through, without node:http and the network. Prints microseconds a request.
const requestsPerRound = 100_000;
const rounds = 15;
const data = await mkdtemp(join(tmpdir(), 'typebadge-bench-'));
const config = newOpenConfig(data);
const log = createLog({ format: 'off' });
const clock = Date.now;
const stores = await openFileStores({
  ...config,
  contentDir: packageFile('content/sample'),
  dataDir: data,
  clock,
  log,
});
const app = await createApp({
  config,
  baseUrl: 'http://127.0.0.1',
  stores,
  clock,
  log,
});
const socket = { remoteAddress: '127.0.0.1' };
const clients = Array.from({ length: 65_536 }, (_, client) => `11.1.${client >> 8}.${client & 255}`);
const requests = clients.map(
  (client) =>
    ({
      method: 'GET',
      url: '/content/announcement.json',
      httpVersion: '1.1',
      rawHeaders: ['Host', '127.0.0.1:8787', 'Origin', 'https://example.org', 'X-Forwarded-For', client],
      socket,
    }) as unknown as IncomingMessage,
);

const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const start = process.cpuUsage();
  for (let count = 0; count < requestsPerRound; count += 1) {
    await app.answer(requests[count % requests.length] as IncomingMessage);
  }
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / requestsPerRound);
}
process.stdout.write(`${median(times.slice(5))}\n`);
await app.close();
await stores.close();
await rm(data, { recursive: true });

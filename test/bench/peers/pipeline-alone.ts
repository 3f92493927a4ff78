import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../../src/server/app.ts';
import { createLog } from '../../../src/server/log.ts';
import { packageFile } from '../../../src/server/package-files.ts';
import { median } from '../statistics.ts';
import { newOpenConfig } from './open-config.ts';

// Everything of ours that a request goes through, without node:http and the network. Prints microseconds a request.
const requestsPerRound = 100_000;
const rounds = 15;
const data = await mkdtemp(join(tmpdir(), 'typebadge-bench-'));
const app = await createApp({
  config: newOpenConfig(data),
  contentDir: packageFile('content'),
  baseUrl: 'http://127.0.0.1',
  log: createLog({ format: 'off' }),
});
const rawHeaders = ['Host', '127.0.0.1:8787', 'Origin', 'https://example.org'];
const request = {
  method: 'GET',
  url: '/content/announcement.json',
  httpVersion: '1.1',
  rawHeaders,
  headers: { host: rawHeaders[1], origin: rawHeaders[3] },
  socket: { remoteAddress: '127.0.0.1' },
} as unknown as IncomingMessage;

const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const start = performance.now();
  for (let count = 0; count < requestsPerRound; count += 1) app.answer(request, 'bench');
  times.push(((performance.now() - start) * 1000) / requestsPerRound);
}
process.stdout.write(`${median(times.slice(5))}\n`);
await app.close();
await rm(data, { recursive: true });

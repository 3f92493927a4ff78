import { mkdtemp } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../../src/kit/package-files.ts';
import { openApp } from '../../../src/server/app.ts';
import { newServeConfig } from '../../../src/server/settings/config.ts';
import { parseAllowedOrigins, parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import { highLimits } from '../../support/test-server.ts';
import { medianCost } from '../report.ts';

// Everything of ours that a request goes through, without node:http and the network. Prints microseconds a request.
const data = await mkdtemp(join(tmpdir(), 'pipeline-'));
const contentDir = packageFile('content', 'sample');
const config = newServeConfig({
  ...{ port: 0, content: contentDir, data, log: 'off', trustProxy: parseTrustProxy('127.0.0.1') },
  allowOrigin: parseAllowedOrigins('https://example.org https://*.example.com'),
  badgeLimits: highLimits,
});
const log = createLog({ format: 'off' });
const app = await openApp({ config, contentDir, url: 'http://127.0.0.1', log });
const requests = Array.from(
  { length: 65_536 },
  (_, client) =>
    ({
      method: 'GET',
      url: '/content/announcement.json',
      httpVersion: '1.1',
      rawHeaders: [
        ...['Host', '127.0.0.1:8787', 'Origin', 'https://example.org'],
        ...['X-Forwarded-For', `11.1.${client >> 8}.${client & 255}`],
      ],
      socket: { remoteAddress: '127.0.0.1' },
    }) as unknown as IncomingMessage,
);
const calls = 100_000;
const cost = await medianCost(calls, async () => {
  for (let at = 0; at < calls; at += 1) await app.answer(requests[at % requests.length] as IncomingMessage);
});
console.log(cost);
process.exit();

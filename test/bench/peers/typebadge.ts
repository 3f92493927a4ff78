import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newServeConfig, parseAllowedOrigins } from '../../../src/server/config.ts';
import { packageFile } from '../../../src/server/package-files.ts';
import { startServer } from '../../../src/server/start.ts';

// The whole server, every check on; only the limits are out of the way, since a load is what they are there to stop.
const high = { rate: 1_000_000, burst: 1_000_000 };
const server = await startServer(
  newServeConfig({
    port: 0,
    content: packageFile('content'),
    data: await mkdtemp(join(tmpdir(), 'typebadge-bench-')),
    allowOrigin: parseAllowedOrigins('https://example.org https://*.example.com'),
    badgeLimits: { assets: high, content: high, analytics: high, pages: high },
    apiLimit: high,
    log: 'off',
  }),
);
process.stdout.write(`${server.url}\n`);
process.on('SIGTERM', () => void server.close().then(() => process.exit()));

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../../src/server/start.ts';
import { newOpenConfig } from './open-config.ts';

// Its argument, if any, is the limit that clients have: requests a second and at once.
const [limit] = process.argv.slice(2).map(Number);
const open = newOpenConfig(await mkdtemp(join(tmpdir(), 'typebadge-bench-')));
const rate = { rate: limit ?? 0, burst: limit ?? 0 };
const badgeLimits = limit === undefined ? open.badgeLimits : { ...open.badgeLimits, content: rate };
const server = await startServer({ ...open, badgeLimits });
process.stdout.write(`${server.url}\n`);
process.on('SIGTERM', () => void server.close().then(() => process.exit()));

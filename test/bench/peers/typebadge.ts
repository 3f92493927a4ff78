import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../../src/server/start.ts';
import { newOpenConfig } from './open-config.ts';

const server = await startServer(newOpenConfig(await mkdtemp(join(tmpdir(), 'typebadge-bench-'))));
process.stdout.write(`${server.url}\n`);
process.on('SIGTERM', () => void server.close().then(() => process.exit()));

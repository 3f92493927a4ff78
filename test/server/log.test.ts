import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../src/server/settings/log.ts';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const hostile = 'a\u001b[2J\u009b31m\u202e\u2066\u200f\r\n{"level":"info"}';
const foreign = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

test('with --log json every line has the same format, and goes to standard output', async () => {
  const content = join(dir, 'content');
  await mkdir(content);
  await writeFile(join(content, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  const folders = ['--content', content, '--data', join(dir, 'data')];
  const { child, finished, port, url } = await startServeProcess([...folders, '--verbose']);
  await send(port, { path: '/demo' });
  await send(port, { path: '/api/health?key=of-somebody' });
  await send(port, { path: `/${encodeURIComponent(hostile)}` });
  await writeFile(join(content, 'origins.json'), JSON.stringify({ origins: [hostile] }));
  while ((await send(port, { path: '/health/ready' })).status === 200);
  child.kill();
  const { stdout, stderr } = await finished;
  expect(stderr).toBe('');

  const lines = stdout.trimEnd().split('\n');
  for (const line of lines) expect(line).not.toMatch(foreign);
  const entries = lines.map((line) => JSON.parse(line));
  for (const entry of entries) {
    expect(Object.keys(entry).slice(0, 3)).toEqual(['time', 'level', 'message']);
    expect(new Date(entry.time).toISOString()).toBe(entry.time);
    expect(['info', 'warn', 'error']).toContain(entry.level);
    expect(entry.message).toEqual(expect.any(String));
  }
  expect(entries).toContainEqual(
    expect.objectContaining({ level: 'info', message: 'listening', url, content, data: join(dir, 'data') }),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({ message: 'GET /demo', status: 200, ms: expect.any(Number) }),
  );
  // A client that puts a secret into an address does so in the query.
  expect(entries).toContainEqual(expect.objectContaining({ message: 'GET /api/health' }));
  expect(entries).toContainEqual(
    expect.objectContaining({ level: 'error', message: expect.stringContaining('is not an origin') }),
  );
});

test.each(['pretty', 'json'] as const)(
  '%s lines show foreign text without its control characters',
  (format) => {
    const lines: string[] = [];
    const log = createLog({ format, write: (line) => lines.push(line) });
    log.error(hostile, { file: hostile });
    expect(lines).toHaveLength(1);
    const [line = ''] = lines;
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(foreign);
    if (format === 'json') expect(JSON.parse(line)).toMatchObject({ message: hostile, file: hostile });
  },
);

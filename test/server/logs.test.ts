import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { boundLines, createLog, createLogOutput } from '../../src/server/settings/log.ts';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** The lines of a log in JSON. */
const entriesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

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
  const entries = entriesOf(stdout);
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

const mebibyte = 1024 * 1024;

test('every line is written in order or counted as missing, and at most 1 MiB waits for the reader', async () => {
  const steps = fc.array(fc.oneof(fc.nat(300_000), fc.constant('read' as const)), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (actions) => {
      const stream = new PassThrough({ highWaterMark: 1_000 });
      const write = createLogOutput(stream, (missing) => `missing ${missing}\n`);
      let count = 0;
      let read = '';
      for (const action of actions) {
        if (action === 'read') {
          read += (stream.read() ?? '').toString();
          await new Promise(setImmediate);
        } else {
          write(`${count} ${'x'.repeat(action)}\n`);
          count += 1;
          // A notice may be written at the very edge.
          expect(stream.writableLength).toBeLessThan(mebibyte + 100);
        }
      }
      setImmediate(() => stream.end());
      read += await text(stream);
      let next = 0;
      for (const line of read.trimEnd().split('\n').filter(Boolean)) {
        const [word, missing] = line.split(' ');
        if (word === 'missing') next += Number(missing);
        else expect(Number(word)).toBe(next++);
      }
      expect(next).toBe(count);
    }),
    { numRuns: 50 },
  );
});

test('law: ten lines of a message are logged in a minute, and none is missing without being counted', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const event = fc.tuple(fc.nat(20_000), fc.constantFrom('full', 'away'));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const lines: { message: string; at: number; leftOut: number | undefined }[] = [];
      const log = boundLines((message, { left_out }) =>
        lines.push({ message, at: Date.now(), leftOut: left_out as number | undefined }),
      );
      for (const [pause, message] of events) {
        vi.advanceTimersByTime(pause);
        log(message, {});
      }
      vi.advanceTimersByTime(60_000);
      for (const message of ['full', 'away']) {
        const own = lines.filter((line) => line.message === message);
        const shown = own.filter(({ leftOut }) => leftOut === undefined);
        const leftOut = own.reduce((sum, line) => sum + (line.leftOut ?? 0), 0);
        expect(shown.length + leftOut).toBe(events.filter(([, one]) => one === message).length);
        // A stretch of that length may lie in two minutes.
        for (const { at } of shown)
          expect(shown.filter((line) => line.at >= at && line.at < at + 60_000).length).toBeLessThanOrEqual(
            20,
          );
      }
    }),
  );
});

test('a flood of one message does not hide another, and made-up ones are bounded together', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = boundLines((message) => lines.push(message));
  for (let time = 0; time < 1_000; time += 1) log('full', {});
  log('away', {});
  for (let time = 0; time < 1_000; time += 1) log(`made up ${time}`, {});
  expect(lines.filter((line) => line === 'full')).toHaveLength(10);
  expect(lines).toContain('away');
  expect(lines.length).toBeLessThan(50);
});

/** The warnings of a server that gets a plain request, and then three as a proxy sends them. */
async function warningsOf(...args: readonly string[]): Promise<{ first: string[]; later: string[] }> {
  const { child, finished, port } = await startServeProcess([...args, '--data', dir], { cwd: dir });
  await send(port, { path: '/health' });
  for (const address of ['203.0.113.7', 'secret-of-a-visitor', '203.0.113.7'])
    await send(port, { path: '/health', headers: { 'x-forwarded-for': address } });
  child.kill('SIGTERM');
  const { stdout } = await finished;
  expect(stdout).not.toMatch(/203\.0\.113|secret-of-a-visitor/);
  const entries = entriesOf(stdout);
  const warnings = entries.filter(({ level }) => level === 'warn').map(({ message }) => String(message));
  const isOfRequest = (message: string) => message.startsWith('a request has X-Forwarded-For');
  return { first: warnings.filter((each) => !isOfRequest(each)), later: warnings.filter(isOfRequest) };
}

test('a server on loopback warns once if a proxy passes requests on, and not of its settings', async () => {
  const { first, later } = await warningsOf();
  expect(first).toEqual([]);
  expect(later).toEqual([
    expect.stringMatching(/no proxy is trusted; .* one player: everybody sees .* Give --trust-proxy/),
  ]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-proxy-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** The warnings of a server that gets a plain request, and then three as a proxy sends them. */
async function warningsOf(...args: readonly string[]): Promise<{ first: string[]; later: string[] }> {
  const { child, finished, port } = await startServeProcess([...args, '--data', dir], { cwd: dir });
  await send(port, { path: '/health' });
  for (const address of ['203.0.113.7', 'secret-of-a-visitor', '203.0.113.7'])
    await send(port, { path: '/health', headers: { 'x-forwarded-for': address } });
  child.kill('SIGTERM');
  const { stdout } = await finished;
  expect(stdout).not.toMatch(/203\.0\.113|secret-of-a-visitor/);
  const entries = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
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

test('a server that strangers reach warns of shared limits', async () => {
  const { first, later } = await warningsOf(
    '--host',
    '0.0.0.0',
    '--allow-host',
    'badge.example.org,127.0.0.1',
  );
  expect(first).toEqual([]);
  expect(later).toEqual([
    expect.stringMatching(/no proxy is trusted; .* share one limit, and .* Give --trust-proxy/),
  ]);
});

test.each([
  ['--public-url', 'https://badge.example.org'],
  ['--allow-host', 'badge.example.org'],
])('on loopback, %s of another host is a warning at the start', async (...args) => {
  const { first, later } = await warningsOf(...args);
  expect(first).toEqual([
    expect.stringMatching(new RegExp(`^${args.join(' ')} .* one player: .*Give --trust-proxy`)),
  ]);
  expect(later).toHaveLength(1);
});

test('without the typing API, the reason is the limit that visitors share', async () => {
  const { first, later } = await warningsOf('--typing', 'off', '--allow-host', 'badge.example.org');
  expect([...first, ...later]).toEqual([
    expect.stringMatching(/^--allow-host badge\.example\.org .* share one limit\. Give --trust-proxy/),
    expect.stringMatching(/no proxy is trusted; .* share one limit\. Give --trust-proxy/),
  ]);
});

test('a server that trusts its proxy, or a local name, is no reason for a warning', async () => {
  const names = ['--public-url', 'https://badge.example.org', '--allow-host', 'badge.example.org'];
  const none = { first: [], later: [] };
  expect(await warningsOf(...names, '--trust-proxy', '127.0.0.1')).toEqual(none);
  expect((await warningsOf('--allow-host', 'badge.localhost')).first).toEqual([]);
});

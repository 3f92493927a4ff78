import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAllowedOrigins } from '../../src/server/settings/config-parsers.ts';
import { pulseEvents, readPulse } from '../../src/server/stores/pulse.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { type Answer, send } from '../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../support/test-server.ts';
import { factor, seed } from './amount.ts';

let data: string;
let server: TestServer;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'typebadge-visits-'));
  server = await startTestServer({
    data,
    allowOrigin: parseAllowedOrigins('https://blog.example https://*.shop.example'),
    badgeLimits: { assets: high, content: high, analytics: high, pages: high },
  });
});
afterEach(() => rm(data, { recursive: true, force: true }));

const high = { rate: 1_000_000, burst: 1_000_000 };
const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
const contentPaths = ['/content/announcement.json', '/content/history.json', '/feed.atom', '/history'];
const paths = [...contentPaths, '/js/typebadge-inject.min.js', '/demo', '/images/typebadge-logo.svg'];

/** What may stand in `If-None-Match`; only the first three name what the server has. */
const tagForms = {
  current: (etag: string) => etag,
  weak: (etag: string) => `W/${etag}`,
  any: () => '*',
  otherCoding: (etag: string) => `${etag.slice(0, -1)}-zstd"`,
  bare: (etag: string) => etag.slice(1, -1),
  lowWeak: (etag: string) => `w/${etag}`,
  empty: () => '""',
  withComma: () => '"a,b"',
} as const;
const naming: readonly (keyof typeof tagForms)[] = ['current', 'weak', 'any'];
const wellFormed: readonly (keyof typeof tagForms)[] = [
  'current',
  'weak',
  'otherCoding',
  'empty',
  'withComma',
];

const senders = {
  listed: { headers: { Origin: 'https://blog.example' }, site: 'blog.example' },
  wildcard: { headers: { Origin: 'https://a.shop.example' }, site: 'a.shop.example' },
  stranger: { headers: { Origin: 'https://evil.example' }, site: 'other' },
  null: { headers: { Origin: 'null' }, site: 'other' },
  referred: { headers: { Referer: 'https://blog.example/page?q=1' }, site: 'blog.example' },
  strangely: { headers: { Referer: 'https://blog.example.evil.example/' }, site: 'other' },
  broken: { headers: { Referer: 'https://' }, site: 'other' },
  nobody: { headers: {}, site: 'other' },
} as const;

const visit = fc.record({
  call: fc.constant('visit' as const),
  path: fc.constantFrom(...paths),
  method: fc.constantFrom('GET', 'HEAD'),
  coding: fc.constantFrom('br', 'gzip', 'identity'),
  tags: fc.array(fc.constantFrom(...(Object.keys(tagForms) as (keyof typeof tagForms)[])), {
    minLength: 1,
    maxLength: 4,
  }),
});
const pulse = fc.record({
  call: fc.constant('pulse' as const),
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
  event: fc.constantFrom(...pulseEvents, ...pulseEvents, 'view', 'toString'),
  id: fc.constantFrom(lasting.id, lasting.id, 'next', 'next', 'unknown', '__proto__'),
  sender: fc.constantFrom(...(Object.keys(senders) as (keyof typeof senders)[])),
  refusal: fc.constantFrom({}, {}, {}, { DNT: '1' }, { 'Sec-GPC': '1' }, { DNT: '0' }),
});
const publish = fc.record({ call: fc.constant('publish' as const) });
const calls = fc.oneof(
  { weight: 8, arbitrary: visit },
  { weight: 8, arbitrary: pulse },
  { weight: 1, arbitrary: publish },
);

type Presentation<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Visit = Presentation<typeof visit>;
type Pulse = Presentation<typeof pulse>;

test('visitors with and without conditional requests, counted or not, while announcements are published: each answer matches a simple model', async () => {
  const counts = new Map<string, number>();
  /** The ids published so far; the latest is the last. */
  const ids: string[] = [lasting.id];
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 30, maxLength: 60, size: 'max' }), async (plan) => {
      for (const step of plan) {
        if (step.call === 'visit') await expectVisit(step);
        else if (step.call === 'pulse') await expectPulse(step, ids, counts);
        else await publishAnother(ids);
      }
    }),
    { numRuns: 5 * factor, seed, endOnFailure: true },
  );
  await server.close();
  const kept = await readPulse(createFileRecords({ dir: recordsFolder(data) }), '2000-01-01');
  const sums = new Map<string, number>();
  for (const { announcement, event, site, count } of kept) {
    const key = [announcement, event, site].join(' ');
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  expect(sums).toEqual(counts);
});

async function expectVisit({ path, method, coding, tags }: Visit): Promise<void> {
  const headers = { 'Accept-Encoding': coding };
  const plain = await send(server.port, { path, headers });
  const etag = plain.headers.etag ?? '';
  expect([plain.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
  const used = (plain.headers['content-encoding'] ?? 'identity') as keyof typeof decoders;
  expect(['identity', coding]).toContain(used);
  const bare = await send(server.port, { path, headers: { 'Accept-Encoding': 'identity' } });
  expect(decoders[used](plain.body).equals(bare.body)).toBe(true);

  const condition = tags.map((form) => tagForms[form](etag)).join(', ');
  const isKnown =
    condition === '*' ||
    (tags.every((form) => wellFormed.includes(form)) && tags.some((form) => naming.includes(form)));
  const answer = await send(server.port, {
    method,
    path,
    headers: { ...headers, 'If-None-Match': condition },
  });
  const told = `${method} ${path} ${coding} If-None-Match: ${condition}`;
  expect([answer.status, answer.headers.etag], told).toEqual([isKnown ? 304 : 200, etag]);
  expect(answer.headers.vary, told).toBe(plain.headers.vary);
  expect(answer.headers['cache-control'], told).toBe(plain.headers['cache-control']);
  const isEmpty = isKnown || method === 'HEAD';
  expect(answer.body.equals(isEmpty ? Buffer.alloc(0) : plain.body), told).toBe(true);
}

async function expectPulse(
  { method, event, id, sender, refusal }: Pulse,
  ids: readonly string[],
  counts: Map<string, number>,
): Promise<void> {
  const announcement = id === 'next' ? (ids.at(-1) ?? '') : id;
  const { headers, site } = senders[sender];
  const path = `/pulse?event=${event}&id=${announcement}`;
  const answer = await send(server.port, { method, path, headers: { ...headers, ...refusal } });
  const isProper = pulseEvents.some((known) => known === event) && ids.includes(announcement);
  expect(answer.status, path).toBe(isProper ? 204 : 400);
  const isPrivate = Object.values(refusal).includes('1');
  if (!isProper || isPrivate || method === 'HEAD') return;
  const key = [announcement, event, site].join(' ');
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Publishes by hand, and waits until every visitor sees it: what they had before is then out of date everywhere. */
async function publishAnother(ids: string[]): Promise<void> {
  const before = await Promise.all(contentPaths.map((path) => send(server.port, { path })));
  ids.push(`more-${ids.length}`);
  const announcements = ids.map((id) => ({ ...lasting, id }));
  await server.writeContent('history.json', { announcements });
  await shown(ids.at(-1) ?? '');
  for (const [at, path] of contentPaths.entries()) {
    const headers = { 'If-None-Match': (before[at] as Answer).headers.etag ?? '' };
    expect((await send(server.port, { path, headers })).status, path).toBe(200);
  }
}

async function shown(id: string): Promise<void> {
  const limit = Date.now() + 20_000;
  for (;;) {
    const { body } = await send(server.port, { path: '/content/announcement.json' });
    if (JSON.parse(body.toString()).id === id) return;
    if (Date.now() > limit) throw new Error(`${id} was never shown`);
    await sleep(25);
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDeskService } from '../../../src/server/desk/desk-service.ts';
import { createLocalTransport } from '../../../src/server/http/local-transport.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import type { Content } from '../../../src/server/stores/content/content.ts';
import { createRecordContent } from '../../../src/server/stores/content/record-content.ts';
import type { PulseCount } from '../../../src/server/stores/pulse.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import { StoreUnavailableError } from '../../../src/server/stores/records/records.ts';
import { newEditors } from '../../support/editors.ts';

const { tokens, text } = newEditors('anna');
const start = Date.parse('2026-06-01T12:00:00Z');

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

/** The editors' API on a store in memory, with a clock that the test moves. */
async function openDesk(counts: readonly PulseCount[] = []) {
  const state = { now: start, shown: 0, lines: [] as string[] };
  const content = createRecordContent(createMemoryRecords(), 'a store');
  await content.update('editors.json', () => ({ text, result: undefined }));
  const serve = (place: Content) =>
    createLocalTransport(
      createDeskService({
        config: { brand: 'acme', desk: 'off', trustProxy: undefined, publicUrl: undefined },
        content: place,
        refresh: async () => {
          state.shown += 1;
        },
        log: createLog({ format: 'json', write: (line) => state.lines.push(line) }),
        readPulse: async (since) => counts.filter(({ day }) => day >= since),
        clock: () => state.now,
      }).groups,
    );
  const caller =
    (transport: ReturnType<typeof serve>) =>
    async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, headers = {}) => {
      const authorization = `Bearer ${tokens.anna}`;
      const request = { method, path: `/api${path}`, headers: { authorization, ...headers } };
      const answer = await transport(body === undefined ? request : { ...request, body });
      return { ...answer, body: answer.body as Json };
    };
  return { state, content, call: caller(serve(content)), callOn: (place: Content) => caller(serve(place)) };
}
type Called = Awaited<ReturnType<Awaited<ReturnType<typeof openDesk>>['call']>>;

const any = fc.nat(9);
const plain = { pick: 0, later: 0, lasts: 1, isAlongside: false, hours: 0 } as const;
const step = fc.record({
  act: fc.constantFrom('publish', 'publish', 'edit', 'expire', 'withdraw', 'undo', 'undo one'),
  pick: any,
  later: fc.constantFrom(0, 0, 1, 3),
  lasts: fc.integer({ min: 1, max: 9 }),
  isAlongside: fc.boolean(),
  hours: fc.constantFrom(0, 0, 0, 1, 2),
});

test('law: an answer tells what the lists said before and after, a dry run foretells it, and the log of the server has it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { state, call } = await openDesk();
      const list = async () => {
        const { body, headers } = await call('GET', '/announcements');
        const entries = new Map<string, Json>(body.announcements.map((entry: Json) => [entry.id, entry]));
        return { entries, current: body.current, tag: headers.etag };
      };
      for (const { act, pick, later, lasts, isAlongside, hours } of steps) {
        state.now += hours * 3_600_000;
        const before = await list();
        const { total } = (await call('GET', '/announcements/changes')).body;
        const id = [...before.entries.keys(), 'none'][pick % (before.entries.size + 1)] as string;
        const [method, path, body] = (
          {
            publish: [
              'POST',
              '',
              { message: `m${pick}`, at: `+${later}h`, expires: `+${lasts}h`, alongside: isAlongside },
            ],
            edit: [
              'PATCH',
              `/${id}`,
              { message: `m${pick % 3}`, ...(later > 0 ? { expires: `+${lasts}h` } : {}) },
            ],
            expire: ['POST', `/${id}/expire`, later > 0 ? { at: `+${later}h` } : {}],
            withdraw: ['POST', `/${id}/withdraw`, {}],
            undo: ['POST', '/undo', {}],
            'undo one': ['POST', '/undo', { change: pick + 1 }],
          } as const
        )[act];
        const { shown } = state;
        const foretold = await call(method, `/announcements${path}?dryRun=true`, body);
        expect(await list()).toEqual(before);
        state.lines = [];
        const done: Called = await call(method, `/announcements${path}`, body);
        expect(done.body).toEqual(foretold.body);
        const after = await list();
        const answer = done.body;
        if (done.status >= 400) {
          expect([after, state.shown]).toEqual([before, shown]);
          const isMissing = path.includes(`/${id}`) && !before.entries.has(id);
          expect([answer.code, answer.error]).toEqual([
            isMissing ? 'ANNOUNCEMENT_NOT_FOUND' : 'CHANGE_REFUSED',
            expect.stringMatching(/^\p{Lu}.*\w.*\.$/u),
          ]);
          continue;
        }
        expect([done.status, done.headers.etag]).toEqual([act === 'publish' ? 201 : 200, after.tag]);
        const { state: _, ...old } = before.entries.get(answer.id) ?? {};
        expect(answer.before).toEqual(before.entries.has(answer.id) ? old : null);
        expect([answer.currentBefore, answer.current]).toEqual([before.current, after.current]);
        if (act.startsWith('undo')) expect(answer.announcement).toEqual(after.entries.get(answer.id) ?? null);
        else expect(answer).toMatchObject(after.entries.get(answer.id));
        const replaced = [...before.entries.values()].filter(
          (one) => one.state === 'active' && after.entries.get(one.id)?.state === 'superseded',
        );
        if (act === 'publish' && later === 0)
          expect(answer.supersedes).toEqual(replaced.map((one) => one.id));
        if (answer.state !== 'active' && answer.state !== 'scheduled') expect(answer.supersedes).toEqual([]);

        expect(answer.change).toBe(answer.change === null ? null : total + 1);
        expect(after.tag === before.tag).toBe(answer.change === null);
        expect(state.shown - shown).toBe(answer.change === null ? 0 : 1);
        const log = (await call('GET', '/announcements/changes')).body;
        expect(log.total).toBe(answer.change ?? total);
        if (answer.change === null) continue;
        expect(log.changes[0]).toMatchObject({
          number: total + 1,
          id: answer.id,
          by: 'anna',
          before: answer.before,
        });
        expect(JSON.parse(state.lines.join(''))).toMatchObject({
          ...{ level: 'info', editor: 'anna', request: expect.stringMatching(/^\w{24}$/) },
          message: expect.stringMatching(`change ${total + 1}: .*${answer.id}$`),
        });
      }
    }),
    // Of two published in the same second, the later is current: also before the earlier is undone.
    {
      numRuns: 60,
      examples: [[(['publish', 'publish', 'undo one'] as const).map((act) => ({ ...plain, act }))]],
    },
  );
}, 60_000);

test('law: pages put together are the list, whatever their size, its order and what is asked for', async () => {
  const { state, call } = await openDesk();
  for (const [id, hours, alongside] of [
    ...[['a', 0, false] as const, ['b', 5, true] as const, ['c', 0, true] as const, ['d', 2, true] as const],
    ...[['e', 0, false] as const, ['f', 0, true] as const, ['g', 3, false] as const, ['h', 0, true] as const],
  ]) {
    await call('POST', '/announcements', { message: id, id, alongside, at: `+${hours}h`, expires: '+9h' });
    state.now += 60_000;
  }
  await call('POST', '/announcements/f/expire', {});
  await call('POST', '/announcements/g/withdraw', {});
  const all = (await call('GET', '/announcements')).body.announcements as { id: string; state: string }[];
  const idsIn = (wanted: RegExp) => all.filter((one) => wanted.test(one.state)).map(({ id }) => id);
  const [active, scheduled] = [idsIn(/^active$/), idsIn(/^scheduled$/)];
  const past = idsIn(/^(?!active|scheduled)/);
  expect([active, scheduled, past].map((ids) => ids.length > 1)).toEqual([true, true, true]);
  for (const [query, ids] of [
    ['', all.map(({ id }) => id)],
    ['&state=all', all.map(({ id }) => id)],
    ['&state=active', active],
    ['&state=scheduled', scheduled],
    ['&state=past', past],
    ['&order=reading', [...active, ...scheduled.toReversed(), ...past]],
    ['&id=d', ['d']],
    ['&id=d&state=active', []],
  ] as const) {
    for (const limit of [1, 2, 3, ids.length || 1, 100]) {
      const read: string[] = [];
      let after = '';
      do {
        const { body } = await call('GET', `/announcements?limit=${limit}${query}${after}`);
        expect(body.total).toBe(ids.length);
        expect(body.announcements.length).toBeLessThanOrEqual(limit);
        read.push(...body.announcements.map(({ id }: Json) => id));
        after = body.next === undefined ? '' : `&after=${body.next}`;
      } while (after !== '');
      expect([query, limit, read]).toEqual([query, limit, ids]);
    }
  }
  const changes = (await call('GET', '/announcements/changes?id=f')).body;
  expect(changes.changes.map(({ number, action }: Json) => `${number} ${action}`)).toEqual([
    '9 expire',
    '6 publish',
  ]);
});

test('statistics are of the days that were asked for, today included, and of one announcement if it is named', async () => {
  const shownOn = (day: string, announcement: string, count: number) =>
    ({ day, announcement, event: 'impression', site: 'a.example', count }) as const;
  const days = ['2026-05-01', '2026-05-30', '2026-05-31', '2026-06-01', '2026-06-02'];
  const { call } = await openDesk(days.flatMap((day) => [shownOn(day, 'a', 1), shownOn(day, 'b', 2)]));
  const shown = async (query: string) => {
    const { body, headers } = await call('GET', `/announcements/stats${query}`);
    expect(headers).not.toHaveProperty('etag');
    return [body.total.impressions, body.days.length, body.since, body.until];
  };
  expect(await shown('?days=2')).toEqual([6, 2, '2026-05-31', '2026-06-01']);
  expect(await shown('?days=3&id=a')).toEqual([3, 3, '2026-05-30', '2026-06-01']);
  expect(await shown('?days=3&id=b')).toEqual([6, 3, '2026-05-30', '2026-06-01']);
  expect(await shown('')).toEqual([9, 30, '2026-05-03', '2026-06-01']);
});

test('a key is remembered for a day, and its repeated request tells what became of the announcement', async () => {
  const { state, call } = await openDesk();
  const publish = () => call('POST', '/announcements', { message: 'once' }, { 'idempotency-key': 'k' });
  const first = await publish();
  await call('POST', '/announcements/undo', {});
  expect((await publish()).body).toMatchObject({
    id: first.body.id,
    change: 1,
    state: 'withdrawn',
    message: 'once',
  });
  state.now += 86_400_000;
  expect((await publish()).body).toMatchObject({ id: first.body.id, change: 1 });
  state.now += 1_000;
  expect((await publish()).body).toMatchObject({ id: '2026-002', change: 3 });
});

test('all fields that are wrong are named with what would be right, in one sentence and one by one', async () => {
  const { call } = await openDesk();
  const wrong = { at: 'someday', expires: 'x', translations: { de: { message: 'x', link: 'y' } }, id: 'a b' };
  const { status, body } = await call('POST', '/announcements', { message: 'a\nb', ...wrong });
  expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
  const named = body.problems.map(({ field }: Json) => field);
  expect(named.toSorted()).toEqual(['at', 'expires', 'id', 'message', 'translations.de.link']);
  const said = body.problems.map(({ field, problem, fix }: Json) => {
    expect([field, problem, fix]).not.toContain('');
    const sentence = fix === undefined ? problem : `${problem}; ${fix}`;
    return sentence.includes(field) ? sentence : `${field}: ${sentence}`;
  });
  const plain = (sentences: string) =>
    sentences
      .replace(/\.$/, '')
      .replace(/id: (?=")/, '')
      .toLowerCase();
  expect(plain(body.error)).toBe(plain(said.join('; ')));
  expect(body.error).toMatch(/^\p{Lu}.*\.$/u);
});

test('the log of the server has each origin that was added or removed, and this server follows at once', async () => {
  const { state, call } = await openDesk();
  await call('POST', '/origins', { origin: 'https://other.example' });
  Object.assign(state, { lines: [], shown: 0 });
  const body = { origin: 'https://A.example' };
  for (const [method, status] of [
    ...[['POST', 200] as const, ['POST', 200] as const, ['DELETE', 200] as const, ['DELETE', 409] as const],
  ])
    expect((await call(method, '/origins', body)).status).toBe(status);
  expect((await call('GET', '/origins')).body).toEqual({ origins: ['https://other.example'] });
  const said = state.lines.map((line) => JSON.parse(line).message);
  expect(said).toEqual(
    ['added', 'removed'].map((verb) => expect.stringMatching(`https://a.example ${verb}$`)),
  );
  expect(state.shown).toBe(2);
});

test('a refusal begins with a capital, unless it begins with the name or address of what is wrong', async () => {
  const { call } = await openDesk();
  const said = async (...request: Parameters<typeof call>) => (await call(...request)).body.error;
  const translations = { de: { message: 'x', link: 'y' } };
  expect(await said('POST', '/announcements', { message: 'x', translations })).toMatch(
    /^translations\.de\.link: /,
  );
  expect(await said('DELETE', '/origins', { origin: 'https://a.example' })).toMatch(
    /^https:\/\/a\.example is not /,
  );
  expect(await said('POST', '/announcements', { message: 'x', id: 'ä' })).toMatch(/^"ä" /);
  expect(await said('POST', '/announcements', { message: ' ' })).toMatch(/^The message is empty/);
});

test('a preview says in a sentence why a page has an announcement or none, and what is wrong in a question', async () => {
  const { state, call } = await openDesk();
  const reasons = new Set<string>();
  const preview = async (query: string) => {
    const { body } = await call('GET', `/announcements/preview?path=/a${query}`);
    expect(body.reason).toMatch(/^\S.*\w.*[^.]\.$/);
    reasons.add(body.reason);
    return body;
  };
  const nothing = {
    announcement: null,
    others: [],
    siteListed: null,
    at: '2026-06-01T12:00:00Z',
    next: null,
  };
  expect(await preview('')).toMatchObject({ ...nothing, reason: expect.stringContaining('active') });
  await call('POST', '/announcements', { message: 'b', id: 'b', audience: { paths: ['/b'] } });
  await call('POST', '/announcements', { message: 'c', id: 'c', at: '+1h', expires: '+1h', alongside: true });
  expect(await preview('')).toMatchObject({
    announcement: null,
    others: [{ id: 'b', place: 'path' }],
    reason: expect.stringContaining('this page'),
  });
  state.now += 3_600_000;
  const shown = { id: 'c', message: 'c', place: 'shown', translated: false };
  expect(await preview('')).toMatchObject({ announcement: shown, others: [{ id: 'b' }], siteListed: null });
  const site = '&site=https://a.example';
  expect(await preview(site)).toMatchObject({ announcement: null, siteListed: false, others: [{}, {}] });
  await call('POST', '/origins', { origin: 'https://a.example' });
  expect(await preview(site)).toMatchObject({
    announcement: shown,
    siteListed: true,
    next: '2026-06-01T14:00:00Z',
  });
  expect(await preview(`${site}&at=2026-06-01 14:00`)).toMatchObject({
    announcement: null,
    at: '2026-06-01T14:00:00Z',
  });
  expect(reasons.size).toBe(4);
  for (const [name, wrong] of [
    ...[['at', 'someday'] as const, ['site', 'x'] as const, ['path', 'x'] as const, ['lang', 'x'] as const],
  ]) {
    const { status, body } = await call('GET', `/announcements/preview?${name}=${wrong}`);
    expect([status, body.problems[0].field]).toEqual([400, name]);
  }
});

test('a store that goes away is a 503, and a fault of the content a 500 that only the log explains', async () => {
  const { state, content, callOn } = await openDesk();
  const failing = (error: Error): Content => ({ ...content, update: () => Promise.reject(error) });
  const publish = (place: Content) => callOn(place)('POST', '/announcements', { message: 'x' });
  const away = await publish(failing(new StoreUnavailableError('secret address')));
  expect([away.status, away.body.code, away.headers['retry-after']]).toEqual([503, 'STORE_UNAVAILABLE', '1']);
  await content.update('history.json', () => ({ text: '{"announcements":7}', result: undefined }));
  const broken = await publish(content);
  expect([broken.status, broken.body.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(`${away.body.error}${broken.body.error}`).not.toMatch(/secret|a store/);
  expect(state.lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', message: expect.stringContaining('a store'), request: expect.any(String) },
  ]);
  await expect(publish(failing(new Error('a fault')))).rejects.toThrow('a fault');
});

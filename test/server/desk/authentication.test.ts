import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAuthentication, createWrongTokens } from '../../../src/server/desk/authentication.ts';
import { editorsText } from '../../../src/server/desk/editors-document.ts';
import { HttpError } from '../../../src/server/http/errors.ts';
import { localContext } from '../../../src/server/http/local-transport.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import type { Content } from '../../../src/server/stores/content/content.ts';
import { createRecordContent } from '../../../src/server/stores/content/record-content.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import { StoreUnavailableError } from '../../../src/server/stores/records/records.ts';
import { newEditors } from '../../support/editors.ts';

const { tokens, editors, text } = newEditors('anna');
const newStore = () => createRecordContent(createMemoryRecords(), 'a store');
const put = (content: Content, name: 'editors.json' | 'history.json', written: string) =>
  content.update(name, () => ({ text: written, result: undefined }));

/** The editor who sends a token, or the refusal, and what the log says of it. */
async function ask(
  content: Content,
  headers: Record<string, string> = {},
  publicUrl: string | undefined = undefined,
) {
  const lines: string[] = [];
  const log = createLog({ format: 'json', write: (line) => lines.push(line) });
  const authenticate = createAuthentication({ trustProxy: undefined, publicUrl }, content, Date.now, log);
  const sent = { authorization: `Bearer ${tokens.anna}`, ...headers };
  const request = { method: 'GET' as const, path: '/api/origins', headers: sent };
  const outcome = await authenticate(localContext(request)).catch((error: unknown) => error);
  return { outcome, lines };
}

test('the log says whose token has expired, and that a wrong one was sent, and repeats neither', async () => {
  const store = newStore();
  await put(
    store,
    'editors.json',
    editorsText(editors.map((each) => ({ ...each, expires: '2026-01-02T00:00:00Z' }))),
  );
  const late = await ask(store);
  const wrong = await ask(store, { authorization: `Bearer ${newEditors('ben').tokens.ben}` });
  expect(late.lines.join()).toContain('the token of anna has expired');
  expect(wrong.lines.join()).toContain('a wrong token was sent');
  expect([...late.lines, ...wrong.lines].join()).not.toContain('tbe_');
});

describe('a list of editors', () => {
  test('that is missing beside announcements means nobody; without them, a store has lost it', async () => {
    const store = newStore();
    for (const content of [store, { ...store, kind: 'folder' } as const]) {
      const { outcome, lines } = await ask(content);
      const isStore = content.kind === 'store';
      expect(outcome).toMatchObject({ code: isStore ? 'STORE_UNAVAILABLE' : 'UNAUTHENTICATED' });
      if (isStore) expect(outcome).toMatchObject({ headers: ['Retry-After', '60'] });
      expect(lines.some((line) => line.includes('editors.json of a store cannot be used'))).toBe(isStore);
    }
    await put(store, 'history.json', '{"announcements":[]}');
    expect((await ask(store)).outcome).toMatchObject({ code: 'UNAUTHENTICATED' });
    await put(store, 'editors.json', text);
    expect(await ask(store)).toEqual({ outcome: editors[0], lines: [] });
  });

  test('that cannot be read is never taken for an empty one, and the log says what is wrong', async () => {
    const store = newStore();
    await put(store, 'editors.json', '{"version":1,"editors":7}');
    for (const [kind, code] of [
      ['store', 'STORE_UNAVAILABLE'],
      ['folder', 'INTERNAL_ERROR'],
    ] as const) {
      const { outcome, lines } = await ask({ ...store, kind });
      expect(outcome).toMatchObject({
        code,
        message: expect.stringMatching(/^\p{Lu}.*log of the server.*\.$/u),
      });
      expect(JSON.parse(lines.join(''))).toMatchObject({
        level: 'error',
        message: expect.stringMatching(/editors: .*\w/),
        request: expect.stringMatching(/^[0-9a-f]{24}$/),
      });
    }
  });

  test('of a store that is away is asked for again a second later, and nothing is wrong with it', async () => {
    const read = () => Promise.reject(new StoreUnavailableError('It is away.'));
    const { outcome, lines } = await ask({ ...newStore(), read });
    expect(outcome).toMatchObject({ code: 'STORE_UNAVAILABLE', headers: ['Retry-After', '1'] });
    expect(lines).toEqual([]);
  });
});

test('the page of editors works at the public address of the server, and at no other that a proxy may have', async () => {
  const store = newStore();
  await put(store, 'editors.json', text);
  const publicUrl = 'https://badge.example.org/below';
  const from = async (origin: string, url?: string) => (await ask(store, { origin }, url)).outcome;
  expect(await from('https://badge.example.org', publicUrl)).toEqual(editors[0]);
  for (const origin of ['http://localhost', 'https://localhost'])
    expect(await from(origin)).toEqual(editors[0]);
  for (const [origin, url] of [
    ['https://badge.example.org', undefined],
    ['http://badge.example.org', publicUrl],
    ['https://example.org', publicUrl],
    ['null', publicUrl],
  ] as const)
    expect(await from(origin, url)).toBeInstanceOf(HttpError);
});

test('a token is what follows the word Bearer, however that is written, and nothing else', async () => {
  const store = newStore();
  await put(store, 'editors.json', text);
  const sent = async (authorization: string) => (await ask(store, { authorization })).outcome;
  for (const scheme of ['Bearer ', 'bearer  ', 'BEARER ']) {
    expect(await sent(`${scheme}${tokens.anna}`)).toEqual(editors[0]);
    for (const wrong of [
      `x${scheme}${tokens.anna}`,
      `${scheme}${tokens.anna} x`,
      `${scheme.trim()}${tokens.anna}`,
    ])
      expect([wrong, await sent(wrong)]).toMatchObject([wrong, { code: 'UNAUTHENTICATED' }]);
  }
  for (const wrong of [tokens.anna, `Basic ${tokens.anna}`, 'Bearer'])
    expect([wrong, await sent(wrong)]).toMatchObject([wrong, { code: 'UNAUTHENTICATED' }]);
});

describe('wrong tokens', () => {
  test('law: who has waited as long as was said may send one again, and nobody sooner', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 40 }), (pauses) => {
        const wrong = createWrongTokens();
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          const wait = wrong.waitOf('a', now);
          if (wait === 0) wrong.note('a', now);
          else {
            expect(wait).toBeLessThanOrEqual(60);
            expect(wrong.waitOf('a', now + (wait - 1) * 1000)).toBe(1);
            expect(wrong.waitOf('a', now + wait * 1000)).toBe(0);
          }
          expect(wrong.waitOf('b', now)).toBe(0);
        }
      }),
    );
  });

  test('of ten thousand clients are remembered; of more, those whose last one is oldest are forgotten', () => {
    const wrong = createWrongTokens();
    const guess = (client: string) => wrong.note(client, 0);
    for (let count = 0; count < 5; count += 1) for (const client of ['early', 'late']) guess(client);
    for (let client = 0; client < 9_998; client += 1) guess(`client ${client}`);
    expect(['early', 'late'].map((client) => wrong.waitOf(client, 1) > 0)).toEqual([true, true]);
    guess('late');
    guess('one more');
    expect(['early', 'late'].map((client) => wrong.waitOf(client, 1) > 0)).toEqual([false, true]);
  });
});

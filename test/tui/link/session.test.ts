import { expect, test } from 'vitest';
import { createSessionApi, ServerProblem, type SessionApi } from '../../../src/tui/link/session.ts';
import { exampleAnswer } from '../../support/typing-client.ts';
import { noLimits } from '../round/round-picture.ts';

const round = exampleAnswer('startRound') as object;

/** A server that answers everything with this body. */
const apiOf = (body: unknown) => createSessionApi(async () => ({ status: 200, body, headers: {} }));

const newRound = (api: SessionApi) => api.newRound({ limits: noLimits, isCustomText: false });

/** A server that creates sessions, and begins their rounds with this change. */
const apiWith = (change: object) =>
  createSessionApi(async ({ path }) => ({
    status: 200,
    body: path === '/api/sessions' ? { session_id: 'a' } : { ...round, ...change },
    headers: {},
  }));
const roundOf = (change: object) => newRound(apiWith(change));
const roundWith = (words: unknown) => roundOf({ words });

test.each([
  ['a session without an id', () => newRound(apiOf({}))],
  ['a session that is a list', () => newRound(apiOf(['x']))],
  ['a round without words', () => roundWith([])],
  ['a round with a word that draws', () => roundWith(['a\u001b[2J'])],
  ['a round without an id', () => roundOf({ round_id: '' })],
  ['a layout without keys', () => apiOf({ languages: [], layouts: [{ id: 'x', name: 'x' }] }).catalog()],
])('%s is refused with a sentence', async (_, parse) => {
  await expect(parse()).rejects.toThrow(ServerProblem);
});

test('a round with more text than anybody types is refused, however its words are cut', async () => {
  const refused = [
    Array(3201).fill('x'),
    Array(5).fill('日'.repeat(10_000)),
    ['x'.repeat(10_001)],
    [...Array(3199).fill('twelve-and-½'), 'x'.repeat(1613)],
  ];
  for (const words of refused) await expect(roundWith(words)).rejects.toThrow(ServerProblem);
  const longest = [...Array(3199).fill('twelve-and-½'), 'x'.repeat(1612)];
  expect((await roundWith(longest)).start.words).toHaveLength(3200);
  expect((await roundWith(Array(4).fill('e\u0301'.repeat(5000)))).start.words).toHaveLength(4);
  for (const word of ['a\u202eb', '\u001b[2J', '\u009b', 'a\u0007', 'a\nb', '\u200b'])
    await expect(roundWith(['the', word]), JSON.stringify(word)).rejects.toThrow(ServerProblem);
});

test.each([{ error: 'x\u200b'.repeat(100_000), code: 'INVALID_REQUEST' }, undefined])(
  'however long an error is, what becomes of it fits on a screen',
  async (body) => {
    const headers = { location: `https://badge.example.org/${'x'.repeat(10_000)}` };
    const refused = newRound(createSessionApi(async () => ({ status: 400, body, headers })));
    const { message } = await refused.then(
      () => expect.fail('no error'),
      (error: Error) => error,
    );
    expect(message.length).toBeLessThan(1000);
  },
);

test('an id in capitals is the same round', async () => {
  const id = 'ABCDEFAB-0000-4000-8000-00000000000A';
  expect((await roundOf({ round_id: id })).start.id).toBe(id.toLowerCase());
});

test.each([{ language: 'tlh' }, { layout: 'of-tomorrow' }, { mode: { type: 'code', language: 'intercal' } }])(
  'a round of another kind than the one asked for is refused: this computer may not know it: %j',
  async (change) => {
    const mode = { type: 'words', count: 10 } as const;
    const asked = { mode, language: 'en', layout: 'qwerty', limits: noLimits, isCustomText: false };
    await expect(apiWith(change).newRound(asked)).rejects.toThrow(
      'in another language or for another layout',
    );
  },
);

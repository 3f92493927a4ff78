import { afterAll, expect, it } from 'vitest';
import type * as wire from '../../../src/contract/answer-types.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient } from '../../support/typing-client.ts';

/** The most that the API takes of one text. */
const most = 10_000;

const server = await startTestServer();
const client = createTypingClient(server.port);
afterAll(() => server.close());

const filled = (piece: string, length = most) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length - (length % piece.length));
const create = (text: string) =>
  client.call<wire.ErrorBody & { session_id: string }>('POST', '/sessions', { mode: { type: 'text', text } });

it.each([
  ['Latin, one word', 'a', 1],
  ['Latin, words of one letter', 'a ', most / 2],
  ['families of emoji', '👩‍👩‍👧', 1],
  ['lines of one letter', 'a\n', most / 2],
])('a long text gives a round that can be typed: %s', async (_, piece, wordCount) => {
  const { status, body } = await create(filled(piece));
  expect(status, body.error).toBe(201);
  const id = body.session_id;
  const { words, line_ends: ends } = await client.startRound(id);
  expect(words).toHaveLength(wordCount);
  expect(words.join('')).toBe(filled(piece).normalize('NFC').replace(/\s/g, ''));
  expect(ends?.at(-1)).toBe(wordCount - 1);
  const characters = [...new Intl.Segmenter().segment((words[0] as string).slice(0, 100))].slice(0, 3);
  for (const { segment } of characters) {
    expect((await client.keystroke(id, { char: segment })).is_correct).toBe(true);
  }
  await client.deleteSession(id);
});

const unusable = /^mode\.text holds a character in its word \d+ that no key types\.$/;
it.each<[string, string, RegExp]>([
  ['half a surrogate pair', `${filled('a', most - 1)}\ud83d`, unusable],
  ['one letter under endless accents', `a${filled('\u0301', most - 1)}`, unusable],
  ['a direction mark between letters', filled('a\u202eb '), unusable],
  ['escape sequences', filled('\x1b[2J'), unusable],
  ['only white space', filled(' \t\u00a0\u3000'), /^mode\.text must have something to type\.$/],
  ['nothing', '', /^mode\.text must not be empty\.$/],
  ['one character too many', filled('a', most + 1), /^mode\.text must have at most 10000 characters\.$/],
])('a text that cannot be typed is refused with the reason: %s', async (_, text, error) => {
  const { status, body } = await create(text);
  expect(status).toBe(400);
  expect(body).toEqual({ code: 'INVALID_REQUEST', error: expect.stringMatching(error) });
});

it('a body past 64 KiB is refused', async () => {
  expect((await create(filled('漢', 30_000))).status).toBe(413);
});

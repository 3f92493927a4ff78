import { expect, test } from 'vitest';
import { createSessionApi, parseRound, ServerProblem } from '../../../src/tui/link/session.ts';
import { noLimits } from '../../../src/tui/round/round-setup.ts';
import { exampleAnswer } from '../../support/typing-client.ts';

const round = exampleAnswer('startRound') as object;
const roundOf = (words: unknown) => parseRound({ ...round, words }, false, noLimits);

/** A server that answers everything with this body. */
const apiOf = (body: unknown) => createSessionApi(async () => ({ status: 200, body, headers: {} }));

test.each([
  ['a session without an id', () => apiOf({}).createSession()],
  ['a session that is a list', () => apiOf(['x']).createSession()],
  ['a round without words', async () => roundOf([])],
  ['a round with a word that draws', async () => roundOf(['a\u001b[2J'])],
  ['a round without an id', async () => parseRound({ ...round, round_id: '' }, false, noLimits)],
  ['a layout without keys', () => apiOf({ languages: [], layouts: [{ id: 'x', name: 'x' }] }).catalog()],
])('%s is refused with a sentence', async (_, parse) => {
  await expect(parse()).rejects.toThrow(ServerProblem);
});

test('a round with more text than anybody types is refused, however its words are cut', () => {
  const refused = [
    Array(3201).fill('x'),
    Array(5).fill('日'.repeat(10_000)),
    ['x'.repeat(10_001)],
    [...Array(3199).fill('twelve-and-½'), 'x'.repeat(1613)],
  ];
  for (const words of refused) expect(() => roundOf(words)).toThrow(ServerProblem);
  const longest = [...Array(3199).fill('twelve-and-½'), 'x'.repeat(1612)];
  expect(roundOf(longest).words).toHaveLength(3200);
  expect(roundOf(Array(4).fill('e\u0301'.repeat(5000))).words).toHaveLength(4);
  for (const word of ['a\u202eb', '\u001b[2J', '\u009b', 'a\u0007', 'a\nb', '\u200b'])
    expect(() => roundOf(['the', word]), JSON.stringify(word)).toThrow(ServerProblem);
});

import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type HistoricalStatistics, HistoricalStatisticsSchema } from '../../../src/contract/answer-types.ts';
import { typingApi } from '../../../src/contract/openapi/typing-operations.ts';
import { parseHistory, parseRound, parseSessionId, ServerProblem } from '../../../src/tui/link/answers.ts';

const operation = typingApi.operations.find(({ id }) => id === 'readHistoricalStatistics');
const history = operation?.example?.answer as HistoricalStatistics;

test('whatever a server sends as historical statistics, the result matches the schema, or it is refused', () => {
  const entries = Object.keys(history).map((name) => [name, fc.jsonValue()] as const);
  fc.assert(
    fc.property(fc.record(Object.fromEntries(entries), { requiredKeys: [] }), (some) => {
      try {
        expect(v.is(HistoricalStatisticsSchema, parseHistory({ ...history, ...some }))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ServerProblem);
      }
    }),
  );
});

test('statistics may lack what was added to the documented ones, and what is unknown is dropped', () => {
  const { bigrams: _, best_standard_wpm: __, rounds_not_counted: ___, ...documented } = history;
  const read = parseHistory({ ...documented, surprise: true });
  expect(read).toEqual({ ...documented, bigrams: {}, best_standard_wpm: 0, rounds_not_counted: 0 });
});

test('a long history is read only in part: as many letters, pairs and mistakes as a screen can use', () => {
  const pairs = Array.from({ length: 5000 }, (_, at) => String.fromCodePoint(0x4e00 + at, 0x61));
  const read = parseHistory({
    ...history,
    bigrams: Object.fromEntries(pairs.map((pair) => [pair, { count: 1, average_ms: 1 }])),
    error_patterns: pairs.map(() => ({ expected: 'a\u001b[2J', typed: 'b', count: 1 })),
  });
  expect(Object.keys(read.bigrams)).toHaveLength(100);
  expect(read.error_patterns).toHaveLength(50);
  expect(read.error_patterns[0]?.expected).toBe('a ');
});

test.each([
  ['a session', () => parseSessionId({ session_id: '../x' })],
  ['a session that is a list', () => parseSessionId(['x'])],
  ['a round without words', () => parseRound({ words: [] })],
  ['a round of 10,001 words', () => parseRound({ words: Array.from({ length: 10_001 }, () => 'a') })],
  ['a round with a word that draws', () => parseRound({ words: ['a\u001b[2J'] })],
  ['statistics that are a text', () => parseHistory('90')],
])('%s is refused with a sentence', (_, parse) => {
  expect(parse).toThrow(ServerProblem);
});

test('a round with more text than anybody types is refused, however its words are cut', () => {
  const refused = [
    Array(10_000).fill('x'.repeat(5)),
    Array(5).fill('日'.repeat(10_000)),
    ['x'.repeat(10_001)],
    [...Array(3200).fill('twelve-and-½'), 'x'.repeat(1601)],
  ];
  for (const words of refused) expect(() => parseRound({ words })).toThrow(ServerProblem);
  const longest = [...Array(3200).fill('twelve-and-½'), 'x'.repeat(1600)];
  expect(parseRound({ words: longest }).words).toHaveLength(3201);
  expect(parseRound({ words: Array(4).fill('e\u0301'.repeat(5000)) }).words).toHaveLength(4);
  for (const word of ['a\u202eb', '\u001b[2J', '\u009b', 'a\u0007', 'a\nb', '\u200b'])
    expect(() => parseRound({ words: ['the', word] }), JSON.stringify(word)).toThrow(ServerProblem);
});

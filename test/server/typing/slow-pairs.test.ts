import { afterAll, expect, it } from 'vitest';
import type { SessionCreated } from '../../../src/contract/answer-types.ts';
import type { InputEvent } from '../../../src/contract/request-types.ts';
import { readWordList } from '../../../src/server/typing/library.ts';
import { createRandom } from '../../../src/typing/choice/random-draw.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient } from '../../support/typing-client.ts';
import { expectSlowest, naiveSlowPairs } from '../../typing/naive-slow-pairs.ts';
import { naiveSession, type RawRound } from '../../typing/naive-statistics.ts';
import { typeRandomly } from '../../typing/random-typist.ts';

const server = await startTestServer();
const client = createTypingClient(server.port);
afterAll(() => server.close());
const allWords = readWordList();

it('a drill on bigrams is about the pairs of an independent computation, in which recent rounds weigh more', async () => {
  const random = createRandom(5);
  const history: RawRound[] = [];
  const id = await client.createSession();
  for (let round = 0; round < 8; round++) {
    const { words } = await client.startRound(id);
    // Nearly all keys right, at changing times.
    const tape = Array.from(
      { length: 180 },
      () => 1000 * Math.floor(100 * random()) + Math.floor(78 * random()),
    );
    const events = typeRandomly(words, tape);
    await client.input(id, events as InputEvent[]);
    await client.timing(id, 60_000);
    history.push({ words, punctuation: false, events, duration_ms: 60_000 });
  }
  expect(history.filter((round) => naiveSession(round, []).counts).length).toBeGreaterThan(4);
  const drill = { mode: { type: 'drill', on: 'bigrams' } };
  const { session_id } = (await client.call<SessionCreated>('POST', '/sessions', drill)).body;
  const { focus = [] } = await client.startRound(session_id);
  expect(focus).toHaveLength(6);
  const { average, pairs } = naiveSlowPairs(history);
  expectSlowest(focus, { average, pairs: new Map([...pairs].filter(([pair]) => isInManyWords(pair))) }, 6);
});

/** A pair that fewer than fifteen words have cannot be drilled: the same words would come again and again. */
function isInManyWords(pair: string): boolean {
  return allWords.filter((word) => word.includes(pair)).length >= 15;
}

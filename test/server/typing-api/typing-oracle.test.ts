import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { InputEvent, InputResult } from '../../../src/server/wire-types.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient, type TypingClient } from '../../support/typing-client.ts';
import { expectClose } from '../typing/close-to.ts';
import {
  naiveHistory,
  naiveSession,
  naiveState,
  type RawEvent,
  type RawRound,
  transcribe,
} from '../typing/naive-statistics.ts';
import { tapes, typeRandomly } from '../typing/random-typist.ts';

/** How a client sends the keys of a round. */
type Manner = 'single' | 'numbered' | 'batch' | 'numbered batch';
const manners = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<Manner>('single', 'numbered') },
  { weight: 6, arbitrary: fc.constantFrom<Manner>('batch', 'numbered batch') },
);

/** What becomes of a round: most are finished, some broken off, some typed to the end without their timing. */
const ends = [
  'finish',
  'finish',
  'finish',
  'finish',
  'finish',
  'finish',
  'finish',
  'break off',
  'leave untimed',
] as const;

const roundPlans = fc.record({
  tape: tapes,
  manner: manners,
  end: fc.constantFrom(...ends),
  duration: fc.integer({ min: 1, max: 600_000 }),
  saves: fc.boolean(),
  stops: fc.nat(200),
});
const sessionPlans = fc.record({
  punctuation: fc.boolean(),
  isDeleted: fc.boolean(),
  rounds: fc.array(roundPlans, { minLength: 6, maxLength: 10, size: 'max' }),
});
type RoundPlan = typeof roundPlans extends fc.Arbitrary<infer T> ? T : never;
type SessionPlan = typeof sessionPlans extends fc.Arbitrary<infer T> ? T : never;

it('every number of at least 1,000 random rounds equals a second, naive computation from the raw keys', async () => {
  let finished = 0;
  const scenarios = fc.array(sessionPlans, { minLength: 3, maxLength: 5, size: 'max' });
  await fc.assert(
    fc.asyncProperty(scenarios, async (plans) => {
      finished += await playScenario(plans);
    }),
    { numRuns: 48 },
  );
  expect(finished).toBeGreaterThanOrEqual(1000);
}, 300_000);

/** Plays several sessions on a server of their own, restarts it in the end, and resolves to the number of finished rounds. */
async function playScenario(plans: readonly SessionPlan[]): Promise<number> {
  const data = await mkdtemp(join(tmpdir(), 'typebadge-oracle-'));
  const server = await startTestServer({ data });
  const history: RawRound[] = [];
  try {
    const client = createTypingClient(server.port);
    const players = await Promise.all(
      plans.map(async (plan) => ({ plan, id: await client.createSession(plan.punctuation) })),
    );
    // All sessions take turns, so that their rounds mix in the one history.
    for (let turn = 0; turn < 10; turn++) {
      for (const { plan, id } of players) {
        const round = plan.rounds[turn];
        if (round !== undefined) await playOne(client, id, plan.punctuation, round, history);
      }
    }
    const expected = naiveHistory(history);
    for (const { plan, id } of players) {
      expectClose(await client.history(id), expected);
      if (plan.isDeleted) await client.deleteSession(id);
    }
  } finally {
    await server.close();
  }
  await expectHistoryAfterRestart(data, history);
  await rm(data, { recursive: true, force: true });
  return history.length;
}

async function expectHistoryAfterRestart(data: string, history: readonly RawRound[]): Promise<void> {
  const server = await startTestServer({ data });
  try {
    const client = createTypingClient(server.port);
    expectClose(await client.history(await client.createSession()), naiveHistory(history));
  } finally {
    await server.close();
  }
}

async function playOne(
  client: TypingClient,
  id: string,
  punctuation: boolean,
  plan: RoundPlan,
  history: RawRound[],
): Promise<void> {
  const { words } = await client.startRound(id);
  const whole: RawRound = { words, punctuation, events: typeRandomly(words, plan.tape) };
  const stop = Math.min(plan.stops, whole.events.length);
  const part: RawRound = { ...whole, events: whole.events.slice(0, stop) };

  const first = await sendAll(client, id, plan.manner, part.events, 0);
  expect(first).toEqual(transcribe(part).results);
  const { last_seq, ...state } = await client.state(id);
  expectClose(state, naiveState(part));
  expect(last_seq).toBe(plan.manner.startsWith('numbered') ? stop : 0);
  expectClose(await client.sessionStatistics(id), naiveSession(part, history));
  if (plan.end === 'break off') return;

  const rest = await sendAll(client, id, plan.manner, whole.events.slice(stop), stop);
  expect([...first, ...rest]).toEqual(transcribe(whole).results);
  expectClose(await client.sessionStatistics(id), naiveSession(whole, history));
  if (plan.end === 'leave untimed') return;

  const timed = { ...whole, duration_ms: plan.duration };
  await client.timing(id, plan.duration);
  expectClose(await client.sessionStatistics(id), naiveSession(timed, history));
  const { last_seq: _, ...finalState } = await client.state(id);
  expectClose(finalState, naiveState(timed));
  history.push(timed);
  if (plan.saves) await client.save(id);
}

async function sendAll(
  client: TypingClient,
  id: string,
  manner: Manner,
  events: readonly RawEvent[],
  sent: number,
): Promise<InputResult[]> {
  const numbered = manner.startsWith('numbered')
    ? events.map((event, at) => ({ ...event, seq: sent + at + 1 }))
    : events;
  if (numbered.length === 0) return [];
  const results: InputResult[] = [];
  if (manner.endsWith('batch')) {
    for (let at = 0; at < numbered.length; at += 500) {
      results.push(...(await client.input(id, numbered.slice(at, at + 500) as InputEvent[])));
    }
    return results;
  }
  for (const { type, ...body } of numbered) results.push(await sendOne(client, id, type, body));
  return results;
}

function sendOne(
  client: TypingClient,
  id: string,
  type: RawEvent['type'],
  body: Omit<RawEvent, 'type'> & { readonly seq?: number },
): Promise<InputResult> {
  const { char = '', ...rest } = body;
  if (type === 'keystroke') return client.keystroke(id, { ...rest, char });
  return type === 'space' ? client.space(id, rest) : client.backspace(id, rest);
}

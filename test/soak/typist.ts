import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type * as answers from '../../src/contract/answer-types.ts';
import type { InputEvent } from '../../src/contract/request-types.ts';
import { planTyping } from '../support/typing-plan.ts';
import { createKeyReader } from '../typing/naive-statistics.ts';
import { headersOf, type Player } from './player.ts';
import { between, chance, type SessionEntry, type World } from './world.ts';

/** Limiter tokens that a typist uses in a second: as many keys as a fast one, and far less than an address is allowed. */
const tokensPerSecond = 10;
/** Inputs of a batch that cost one token. */
const inputsPerToken = 20;

/** Lives through sessions of some rounds each, and checks every answer. */
export async function runTypist(world: World, player: Player): Promise<void> {
  const call = createCaller(world, player);
  const body = { punctuation_mode: chance(0.3) };
  const created = await call<answers.SessionCreated>('session created', 'POST', '/sessions', body, 201);
  const entry = newEntry(created.session_id, player);
  world.ledger.sessions.set(entry.id, entry);
  for (let rounds = between(2, 8); rounds > 0; rounds -= 1) await playRound(world, call, entry);
  entry.pending = 'delete';
  await call('session deleted', 'DELETE', `/sessions/${entry.id}`, undefined, 204);
  world.ledger.sessions.delete(entry.id);
  markSaved(world, entry);
}

function newEntry(id: string, player: Player): SessionEntry {
  return { id, player, ...noRound(), unsaved: [], pending: undefined };
}

function noRound() {
  return { words: [], roundAt: 0, events: [], sent: 0, acknowledged: [], duration: undefined };
}

export type ExpectedRound = ReturnType<typeof createExpectedRound>;

/** What the server owes to a typist, worked out from the rules alone. */
export function createExpectedRound(words: readonly string[]) {
  const { transcript, read } = createKeyReader({ words });
  return {
    /** Takes the next input and tells its owed result. */
    take(event: InputEvent): answers.InputResult {
      read(event);
      return transcript.results.at(-1) as answers.InputResult;
    },
    wordIndex: () => transcript.word,
    input: () => (transcript.standing[transcript.word] ?? []).join(''),
    counts: () => ({
      correct: transcript.strokes.filter(({ wanted, typed }) => wanted === typed).length,
      total: transcript.strokes.length,
    }),
  };
}

/** One round: typed to its end, or given up in the middle and begun anew. */
async function playRound(world: World, call: Call, entry: SessionEntry): Promise<void> {
  entry.pending = 'round';
  const { words } = await call<answers.Round>('round', 'POST', `/sessions/${entry.id}/round`);
  const events = planTyping(words);
  Object.assign(entry, { ...noRound(), words, roundAt: Date.now(), events, pending: undefined });
  if (words.length !== 30) world.tally.fault(`a round has ${words.length} words`);

  const round = createExpectedRound(words);
  const end = chance(0.1) ? between(1, events.length - 1) : events.length;
  while (entry.sent < end) {
    const count = chance(0.6) ? 1 : Math.min(between(2, 60), end - entry.sent);
    const start = performance.now();
    await sendInputs(world, call, entry, round, count);
    if (chance(0.005)) await checkState(world, call, entry, round);
    const tokens = Math.ceil(count / inputsPerToken);
    await pause(Math.max(0, (tokens * 1000) / tokensPerSecond - (performance.now() - start)));
  }
  if (end === events.length) await finishRound(world, call, entry, round);
}

async function sendInputs(
  world: World,
  call: Call,
  entry: SessionEntry,
  round: ExpectedRound,
  count: number,
): Promise<void> {
  const path = `/sessions/${entry.id}`;
  const events = entry.events.slice(entry.sent, entry.sent + count);
  const [event] = events as [InputEvent];
  const owed = events.map((each) => round.take(each));
  entry.pending = 'input';
  entry.sent += count;
  const send = async () => {
    if (count === 1) return [await call<answers.InputResult>('key', 'POST', `${path}/${event.type}`, event)];
    return (await call<answers.InputResponse>('batch', 'POST', `${path}/input`, { events })).results;
  };
  compare(world, 'typing', await send(), owed);
  entry.acknowledged.push({ seq: entry.sent, at: Date.now() });
  // A client that did not get its answer sends again: nothing changes, and the first answer comes again.
  if (chance(0.02)) compare(world, 'typing, sent again', await send(), owed);
  entry.pending = undefined;
}

async function checkState(
  world: World,
  call: Call,
  entry: SessionEntry,
  round: ExpectedRound,
): Promise<void> {
  const state = await call<answers.GameState>('state', 'GET', `/sessions/${entry.id}/state`);
  const { current_word_idx, current_input, last_seq, words } = state;
  const owed = [round.wordIndex(), round.input(), entry.sent, entry.words];
  compare(world, 'state', [current_word_idx, current_input, last_seq, words], owed);
}

async function finishRound(
  world: World,
  call: Call,
  entry: SessionEntry,
  round: ExpectedRound,
): Promise<void> {
  const duration = await submitTiming(world, call, entry);
  if (chance(0.1)) await submitTiming(world, call, entry);
  await checkStatistics(world, call, entry, round, duration);
  if (chance(0.3)) {
    entry.pending = 'save';
    await call('save', 'POST', `/sessions/${entry.id}/save`);
    entry.pending = undefined;
    markSaved(world, entry);
  }
  if (chance(0.3)) {
    const path = `/sessions/${entry.id}/stats/historical`;
    const history = await call<answers.HistoricalStatistics>('historical statistics', 'GET', path);
    if (history.total_sessions < 1) world.tally.fault('a history without the round just timed');
  }
}

/** Gives the round a duration of its own; sent again, it counts once. */
export async function submitTiming(world: World, call: Call, entry: SessionEntry): Promise<number> {
  entry.duration ??= world.ledger.nextDuration();
  const { duration, id } = entry;
  const finished = world.ledger.finished.get(duration) ?? { timedAt: undefined, savedAt: undefined };
  world.ledger.finished.set(duration, finished);
  entry.pending = 'timing';
  const start = 1_700_000_000_000;
  const body = { start_time_unix_ms: start, end_time_unix_ms: start + duration, duration_ms: duration };
  const answer = await call<answers.Success>('timing', 'POST', `/sessions/${id}/timing`, body);
  compare(world, 'timing', answer, { success: true });
  if (finished.timedAt === undefined) entry.unsaved.push(duration);
  finished.timedAt ??= Date.now();
  entry.pending = undefined;
  return duration;
}

export async function checkStatistics(
  world: World,
  call: Call,
  { id }: SessionEntry,
  round: ExpectedRound,
  duration: number,
): Promise<void> {
  const path = `/sessions/${id}/stats/session`;
  const told = await call<answers.SessionStatistics>('session statistics', 'GET', path);
  const { correct, total } = round.counts();
  const isClose =
    Math.abs(told.wpm - correct / 5 / (duration / 60_000)) < 1e-6 &&
    Math.abs(told.accuracy - (correct / total) * 100) < 1e-6;
  const found = [told.correct_chars, told.total_chars, told.time_seconds, isClose];
  compare(world, 'statistics', found, [correct, total, duration / 1000, true]);
}

/** What was timed in this session is on disk by now. */
function markSaved({ ledger }: World, entry: SessionEntry): void {
  for (const duration of entry.unsaved.splice(0)) {
    const round = ledger.finished.get(duration);
    if (round !== undefined) round.savedAt = Date.now();
  }
}

/** One request of a player; the answer must have the status, 200 by default. */
export type Call = <T>(
  kind: string,
  method: string,
  path: string,
  body?: unknown,
  status?: number,
) => Promise<T>;

export function createCaller(world: World, player: Player): Call {
  return async <T>(kind: string, method: string, path: string, body?: unknown, status = 200) => {
    const { status: found, body: bytes } = await world.ask(kind, {
      method,
      path: `${chance(0.5) ? '/api' : '/api/v1'}${path}`,
      keep: !chance(0.02),
      headers: {
        ...headersOf(player),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = bytes.toString();
    if (found !== status) {
      world.tally.fault(`${kind}: ${found} ${text.slice(0, 200)}`);
      throw new Error(`${kind} failed`);
    }
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
}

function compare(world: World, what: string, actual: unknown, owed: unknown): void {
  if (isDeepStrictEqual(actual, owed)) return;
  const [found, wanted] = [actual, owed].map((value) => JSON.stringify(value).slice(0, 200));
  world.tally.fault(`${what}: ${found} instead of ${wanted}`);
}

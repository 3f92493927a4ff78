import { deepStrictEqual } from 'node:assert';
import type * as answers from '../../../src/contract/answer-types.ts';
import type * as wireStatistics from '../../../src/contract/answer-types.ts';
import type * as requests from '../../../src/contract/request-types.ts';
import type { SessionEntry } from '../ledger.ts';
import { between, chance, pick, type World } from '../world.ts';
import { createExpectedRound, type ExpectedRound } from './expected-round.ts';
import { createPace, headersOf, type Pace, type Player } from './player.ts';
import { planTyping } from './typing-plan.ts';

const pathOf = { keystroke: 'keystroke', backspace: 'backspace', space: 'space' } as const;

/** Limiter tokens that a typist uses in a second: as many keys as a fast one, and far less than an address is allowed. */
const tokensPerSecond = 10;
/** Inputs of a batch that cost one token. */
const inputsPerToken = 20;

/** Lives through sessions of some rounds each until the server ends, and checks every answer. */
export async function runTypist(world: World, player: Player): Promise<void> {
  const pace = createPace(tokensPerSecond);
  while (!world.isEnding()) {
    const path = '/sessions';
    const created = await call<answers.SessionCreated>(world, player, 'session created', 'POST', path, 201, {
      punctuation_mode: chance(0.3),
    });
    const entry = newEntry(created.session_id, player);
    world.ledger.sessions.set(entry.id, entry);
    for (let rounds = between(2, 8); rounds > 0; rounds--) await playRound(world, entry, pace);
    entry.pending = 'delete';
    await call(world, player, 'session deleted', 'DELETE', `${path}/${entry.id}`, 204);
    world.ledger.sessions.delete(entry.id);
    markSaved(world, entry);
  }
}

function newEntry(id: string, player: Player): SessionEntry {
  return {
    id,
    player,
    words: [],
    roundAt: 0,
    events: [],
    sent: 0,
    acknowledged: [],
    duration: undefined,
    unsaved: [],
    pending: undefined,
  };
}

/** One round: typed to its end, or given up in the middle and begun anew. */
async function playRound(world: World, entry: SessionEntry, pace: Pace): Promise<void> {
  const path = `/sessions/${entry.id}`;
  entry.pending = 'round';
  const { words } = await call<answers.Round>(world, entry.player, 'round', 'POST', `${path}/round`, 200);
  Object.assign(entry, {
    words,
    roundAt: Date.now(),
    events: planTyping(words),
    sent: 0,
    acknowledged: [],
    duration: undefined,
    pending: undefined,
  });
  if (words.length !== 30) world.tally.fault(`a round has ${words.length} words`);

  const round = createExpectedRound(words);
  const end = chance(0.1) ? between(1, entry.events.length - 1) : entry.events.length;
  const style = pick(['single', 'batches', 'mixed'] as const);
  while (entry.sent < end) {
    const isSingle = style === 'single' || (style === 'mixed' && chance(0.8));
    const count = isSingle ? 1 : Math.min(between(2, 60), end - entry.sent);
    await pace(Math.ceil(count / inputsPerToken));
    await sendInputs(world, entry, round, count);
    if (chance(0.005)) await checkState(world, entry, round);
  }
  if (end === entry.events.length) await finishRound(world, entry, round);
}

async function sendInputs(
  world: World,
  entry: SessionEntry,
  round: ExpectedRound,
  count: number,
): Promise<void> {
  const from = entry.sent;
  const events = entry.events.slice(from, from + count);
  const [event] = events as [requests.InputEvent];
  const owed = events.map((each) => round.take(each));
  entry.pending = 'input';
  entry.sent = from + count;
  const single = () =>
    call<answers.InputResult>(
      world,
      entry.player,
      'key',
      'POST',
      `/sessions/${entry.id}/${pathOf[event.type]}`,
      200,
      event,
    );
  const batch = async () =>
    (
      await call<answers.InputResponse>(
        world,
        entry.player,
        'batch',
        'POST',
        `/sessions/${entry.id}/input`,
        200,
        { events },
      )
    ).results;
  const send = async () => (count === 1 ? [await single()] : await batch());
  compare(world, 'typing', await send(), owed);
  entry.acknowledged.push({ seq: entry.sent, at: Date.now() });
  // A client that did not get its answer sends again: nothing changes, and the first answer comes again.
  if (chance(0.02)) compare(world, 'typing, sent again', await send(), owed);
  entry.pending = undefined;
}

async function checkState(world: World, entry: SessionEntry, round: ExpectedRound): Promise<void> {
  const state = await call<answers.GameState>(
    world,
    entry.player,
    'state',
    'GET',
    `/sessions/${entry.id}/state`,
    200,
  );
  const { current_word_idx, current_input, last_seq, words } = state;
  const owed = [round.wordIndex(), round.input(), entry.sent, entry.words];
  compare(world, 'state', [current_word_idx, current_input, last_seq, words], owed);
}

async function finishRound(world: World, entry: SessionEntry, round: ExpectedRound): Promise<void> {
  const path = `/sessions/${entry.id}`;
  const duration = await submitTiming(world, entry);
  if (chance(0.1)) await submitTiming(world, entry);
  const statistics = await call<wireStatistics.SessionStatistics>(
    world,
    entry.player,
    'session statistics',
    'GET',
    `${path}/stats/session`,
    200,
  );
  checkStatistics(world, statistics, round, duration);
  if (chance(0.3)) {
    entry.pending = 'save';
    await call(world, entry.player, 'save', 'POST', `${path}/save`, 200);
    entry.pending = undefined;
    markSaved(world, entry);
  }
  if (chance(0.3)) {
    const history = await call<wireStatistics.HistoricalStatistics>(
      world,
      entry.player,
      'historical statistics',
      'GET',
      `${path}/stats/historical`,
      200,
    );
    if (history.total_sessions < 1) world.tally.fault('a history without the round just timed');
  }
}

/** Gives the round a duration of its own; sent again, it counts once. */
export async function submitTiming(world: World, entry: SessionEntry): Promise<number> {
  entry.duration ??= world.ledger.nextDuration();
  const { duration, id } = entry;
  const finished = world.ledger.finished.get(duration) ?? {
    duration,
    timedAt: undefined,
    savedAt: undefined,
  };
  world.ledger.finished.set(duration, finished);
  entry.pending = 'timing';
  const start = 1_700_000_000_000;
  const body = { start_time_unix_ms: start, end_time_unix_ms: start + duration, duration_ms: duration };
  const answer = await call<answers.Success>(
    world,
    entry.player,
    'timing',
    'POST',
    `/sessions/${id}/timing`,
    200,
    body,
  );
  compare(world, 'timing', answer, { success: true });
  if (finished.timedAt === undefined) entry.unsaved.push(duration);
  finished.timedAt ??= Date.now();
  entry.pending = undefined;
  return duration;
}

export function checkStatistics(
  world: World,
  statistics: wireStatistics.SessionStatistics,
  round: ExpectedRound,
  duration: number,
): void {
  const { correct, total } = round.counts();
  const { correct_chars, total_chars, time_seconds, wpm, accuracy } = statistics;
  const isClose =
    Math.abs(wpm - correct / 5 / (duration / 60_000)) < 1e-6 &&
    Math.abs(accuracy - (correct / total) * 100) < 1e-6;
  compare(
    world,
    'statistics',
    [correct_chars, total_chars, time_seconds, isClose],
    [correct, total, duration / 1000, true],
  );
}

/** What was timed in this session is in the journal by now. */
function markSaved({ ledger }: World, entry: SessionEntry): void {
  for (const duration of entry.unsaved.splice(0)) {
    const round = ledger.finished.get(duration);
    if (round !== undefined) round.savedAt = Date.now();
  }
}

export async function call<T>(
  world: World,
  player: Player,
  kind: string,
  method: string,
  path: string,
  status: number,
  body?: unknown,
): Promise<T> {
  const answer = await world.ask(kind + world.phase(), {
    method,
    path: `${chance(0.5) ? '/api' : '/api/v1'}${path}`,
    keep: !chance(0.02),
    headers: {
      ...headersOf(player),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = answer.body.toString();
  if (answer.status !== status) {
    world.tally.fault(`${kind}: ${answer.status} ${text.slice(0, 200)}`);
    throw new Error(`${kind} failed`);
  }
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function compare(world: World, what: string, actual: unknown, owed: unknown): void {
  try {
    deepStrictEqual(actual, owed);
  } catch {
    world.tally.fault(
      `${what}: ${JSON.stringify(actual).slice(0, 200)} instead of ${JSON.stringify(owed).slice(0, 200)}`,
    );
  }
}

import type * as answers from '../../src/contract/answer-types.ts';
import type * as statistics from '../../src/contract/answer-types.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { readRounds } from '../server/stores/stored-rounds.ts';
import { createExpectedRound, type ExpectedRound } from './clients/expected-round.ts';
import { call, checkStatistics, submitTiming } from './clients/typist.ts';
import { hostileDuration } from './hostile/input-attacks.ts';
import type { FinishedEntry, LedgerCopy, SessionEntry } from './ledger.ts';
import type { World } from './world.ts';

/**
 * What must be on disk: everything acknowledged up to a moment. After SIGTERM that is the end itself, and nothing that
 * was not acknowledged may be there either, since whatever the server took it had to answer. After kill -9 it is a
 * second before.
 */
export interface Promised {
  readonly until: number;
  readonly isOrderly: boolean;
}

export interface Recovered {
  sessions: number;
  keys: number;
  /** Keys acknowledged within the last moment before a kill, which are promised to nobody, and how many of them survived. */
  lateKeys: number;
  lateKeysKept: number;
  rounds: number;
}

/** Compares every session of a restarted server with what its clients were promised, and types its round to the end. */
export async function checkSessions(
  world: World,
  { sessions }: LedgerCopy,
  promised: Promised,
): Promise<Recovered> {
  const found: Recovered = { sessions: 0, keys: 0, lateKeys: 0, lateKeysKept: 0, rounds: 0 };
  for (const entry of sessions) {
    if (entry.pending === 'delete' || entry.roundAt === 0) continue; // may be gone, or has nothing to lose
    try {
      await checkSession(world, entry, promised, found);
    } catch (error) {
      world.tally.fault(`after the restart: session ${entry.id}: ${(error as Error).message}`);
    }
  }
  return found;
}

async function checkSession(
  world: World,
  entry: SessionEntry,
  { until, isOrderly }: Promised,
  found: Recovered,
): Promise<void> {
  const path = `/sessions/${entry.id}`;
  const state = await call<answers.GameState>(
    world,
    entry.player,
    'restart: state',
    'GET',
    `${path}/state`,
    200,
  );
  const isSameRound = state.words.join(' ') === entry.words.join(' ');
  if (!isSameRound) {
    const mayDiffer = !isOrderly && (entry.pending === 'round' || entry.roundAt > until);
    if (!mayDiffer) world.tally.fault('after the restart: a session has another round');
    return;
  }
  const owed = lastUntil(entry, until);
  const told = lastUntil(entry, Number.POSITIVE_INFINITY);
  if (state.last_seq < owed)
    world.tally.fault(`after the restart: ${owed - state.last_seq} acknowledged keys are missing`);
  if (state.last_seq > entry.sent) world.tally.fault('after the restart: keys that were never sent');
  if (isOrderly && state.last_seq > told) world.tally.fault('a key was taken and never answered');
  found.sessions++;
  found.keys += owed;
  found.lateKeys += told - owed;
  found.lateKeysKept += Math.max(0, Math.min(state.last_seq, told) - owed);
  await typeToTheEnd(world, entry, state);
}

function lastUntil({ acknowledged }: SessionEntry, moment: number): number {
  return acknowledged.reduce((last, { seq, at }) => (at <= moment ? Math.max(last, seq) : last), 0);
}

/** Goes on where the server is: the statistics must be those of an undisturbed round. */
async function typeToTheEnd(world: World, entry: SessionEntry, state: answers.GameState): Promise<void> {
  const round: ExpectedRound = createExpectedRound(entry.words);
  for (const event of entry.events.slice(0, state.last_seq)) round.take(event);
  if (state.current_word_idx !== round.wordIndex() || state.current_input !== round.input())
    world.tally.fault('after the restart: a state that its keys do not lead to');
  const events = entry.events.slice(state.last_seq);
  if (events.length > 0) {
    await call(world, entry.player, 'restart: the missing keys', 'POST', `/sessions/${entry.id}/input`, 200, {
      events,
    });
    for (const event of events) round.take(event);
  }
  const duration = await submitTiming(world, entry);
  const path = `/sessions/${entry.id}/stats/session`;
  checkStatistics(
    world,
    await call<statistics.SessionStatistics>(
      world,
      entry.player,
      'restart: session statistics',
      'GET',
      path,
      200,
    ),
    round,
    duration,
  );
}

/** Compares the journals of all players with what was promised; `finished` are all rounds that anybody ever sent a timing for. */
export async function checkJournal(
  world: Pick<World, 'tally'>,
  dataDir: string,
  finished: Iterable<FinishedEntry>,
  { until }: Promised,
): Promise<number> {
  const durations: number[] = [];
  for (const player of await playersIn(dataDir)) {
    const rounds = await readRounds(dataDir, player);
    durations.push(...rounds.map(({ timing }) => timing.duration).filter((ms) => ms !== hostileDuration));
  }
  const written = new Set(durations);
  if (written.size !== durations.length)
    world.tally.fault(`${durations.length - written.size} rounds are in the journal twice`);
  const begun = new Set<number>();
  for (const { duration, timedAt, savedAt } of finished) {
    begun.add(duration);
    if (written.has(duration)) continue;
    if (savedAt !== undefined) world.tally.fault('a saved round is not in the journal');
    else if (timedAt !== undefined && timedAt <= until) world.tally.fault('a finished round is lost');
  }
  for (const duration of written)
    if (!begun.has(duration)) world.tally.fault('a round in the journal that nobody has finished');
  return durations.length;
}

async function playersIn(dataDir: string): Promise<string[]> {
  const records = createFileRecords({ dir: recordsFolder(dataDir) });
  const players: string[] = [];
  for await (const id of records.ids('rounds/')) players.push(id.slice('rounds/'.length));
  await records.close();
  return players;
}

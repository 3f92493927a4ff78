import type * as answers from '../../src/contract/answer-types.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { readRounds } from '../server/stores/stored-rounds.ts';
import { hostileDuration } from './hostile.ts';
import { type Call, checkStatistics, createCaller, createExpectedRound, submitTiming } from './typist.ts';
import type { SessionEntry, World } from './world.ts';

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
export async function checkSessions(world: World, promised: Promised): Promise<Recovered> {
  const found: Recovered = { sessions: 0, keys: 0, lateKeys: 0, lateKeysKept: 0, rounds: 0 };
  for (const entry of world.ledger.sessions.values()) {
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
  const fault = (what: string) => world.tally.fault(`after the restart: ${what}`);
  const call = createCaller(world, entry.player);
  const state = await call<answers.GameState>('restart: state', 'GET', `/sessions/${entry.id}/state`);
  if (state.words.join(' ') !== entry.words.join(' ')) {
    const mayDiffer = !isOrderly && (entry.pending === 'round' || entry.roundAt > until);
    if (!mayDiffer) fault('a session has another round');
    return;
  }
  const owed = lastUntil(entry, until);
  const told = lastUntil(entry, Number.POSITIVE_INFINITY);
  if (state.last_seq < owed) fault(`${owed - state.last_seq} acknowledged keys are missing`);
  if (state.last_seq > entry.sent) fault('keys that were never sent');
  if (isOrderly && state.last_seq > told) fault('a key was taken and never answered');
  found.sessions++;
  found.keys += owed;
  found.lateKeys += told - owed;
  found.lateKeysKept += Math.max(0, Math.min(state.last_seq, told) - owed);
  await typeToTheEnd(world, call, entry, state);
}

function lastUntil({ acknowledged }: SessionEntry, moment: number): number {
  return acknowledged.reduce((last, { seq, at }) => (at <= moment ? Math.max(last, seq) : last), 0);
}

/** Goes on where the server is: the statistics must be those of an undisturbed round. */
async function typeToTheEnd(world: World, call: Call, entry: SessionEntry, state: answers.GameState) {
  const round = createExpectedRound(entry.words);
  for (const event of entry.events.slice(0, state.last_seq)) round.take(event);
  if (state.current_word_idx !== round.wordIndex() || state.current_input !== round.input())
    world.tally.fault('after the restart: a state that its keys do not lead to');
  const events = entry.events.slice(state.last_seq);
  if (events.length > 0)
    await call('restart: the missing keys', 'POST', `/sessions/${entry.id}/input`, { events });
  for (const event of events) round.take(event);
  await checkStatistics(world, call, entry, round, await submitTiming(world, call, entry));
}

/** Compares the rounds of all players on disk with what was promised; resolves to how many there are. */
export async function checkRounds(
  { tally, ledger }: Pick<World, 'tally' | 'ledger'>,
  dataDir: string,
  { until }: Promised,
): Promise<number> {
  const durations: number[] = [];
  const records = createFileRecords({ dir: recordsFolder(dataDir) });
  for await (const id of records.ids('rounds/')) {
    const rounds = await readRounds(dataDir, id.slice('rounds/'.length));
    durations.push(...rounds.map(({ timing }) => timing.duration).filter((ms) => ms !== hostileDuration));
  }
  await records.close();
  const written = new Set(durations);
  if (written.size !== durations.length)
    tally.fault(`${durations.length - written.size} rounds are on disk twice`);
  for (const [duration, { timedAt, savedAt }] of ledger.finished) {
    if (written.has(duration)) continue;
    if (savedAt !== undefined) tally.fault('a saved round is not on disk');
    else if (timedAt !== undefined && timedAt <= until) tally.fault('a finished round is lost');
  }
  for (const duration of written)
    if (!ledger.finished.has(duration)) tally.fault('a round on disk that nobody has finished');
  return durations.length;
}

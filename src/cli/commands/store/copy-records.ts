import { addressKeyRecord, readAddressKey } from '../../../server/stores/address-key.ts';
import { localPlayer } from '../../../server/stores/player.ts';
import type { Records } from '../../../server/stores/records/records.ts';
import { recountRounds } from '../../../server/stores/round-quota.ts';
import { createRounds } from '../../../server/stores/rounds.ts';
import { parseRoundLine } from '../../../server/stores/stored-round.ts';

/** How many things a source has, and how many of them the target did not have. */
export interface Copied {
  readonly found: number;
  readonly added: number;
}

export type CopyStep = 'content' | 'sessions' | 'rounds' | 'counters';

export interface RecordCopying {
  readonly source: Records;
  readonly target: Records;
  /** Milliseconds after which an unused session expires, and after which rounds of strangers do. */
  readonly sessionTtl: number;
  readonly keepRounds: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly onProgress: (step: CopyStep, done: number, total: number) => void;
}

export interface CopiedRecords {
  readonly sessions: Copied;
  /** `unreadable`: those damaged, missing or of a later version, if any; not among those that were found. */
  readonly rounds: Copied & { readonly unreadable?: number };
  readonly counters: Copied;
  /** False if the target hashes addresses with another secret. */
  readonly hasSameKey: boolean;
}

/** Most characters of a player's rounds that are copied in one change; of more, each round is added alone. */
const maxChange = 2 * 1024 * 1024;
/** Lines that are read together. */
const linesPerRead = 200;

/**
 * Copies sessions, rounds, counters and the address key. What the target has is never replaced: rounds are
 * added by their ids, and counters are raised to those of the source. If interrupted, it can be run again.
 * Servers may use both sides meanwhile.
 */
export async function copyRecords(copying: RecordCopying): Promise<CopiedRecords> {
  const key = await copyAddressKey(copying);
  return {
    hasSameKey: key.isSame,
    sessions: await copySessions(copying),
    rounds: await copyRounds(copying, key.isKnown),
    counters: await copyCounters(copying),
  };
}

async function copyAddressKey({
  source,
  target,
}: RecordCopying): Promise<{ isKnown: boolean; isSame: boolean }> {
  const text = await readAddressKey(source);
  if (text !== undefined) await target.commit(addressKeyRecord, { if: '', put: { text }, durable: true });
  const known = await readAddressKey(target);
  return { isKnown: known !== undefined, isSame: text === undefined || text === known };
}

async function copySessions({ source, target, sessionTtl, now, onProgress }: RecordCopying): Promise<Copied> {
  const ids = await idsOf(source, 'session/');
  let [found, added] = [0, 0];
  for (const [at, id] of ids.entries()) {
    onProgress('sessions', at + 1, ids.length);
    const { first, put, push } = await snapshot(source, id);
    const ttl = sessionTtl - (now - Number(put.used ?? 0));
    if (push === undefined || ttl <= 0) continue;
    found += 1;
    if ('version' in (await target.commit(id, { if: '', put, push, trim: first, ttl, durable: true })))
      added += 1;
  }
  for (const id of await idsOf(source, 'owner/')) await mergeOwner(source, target, id);
  return { found, added };
}

/** Who has which sessions: those that the target has now. */
async function mergeOwner(source: Records, target: Records, id: string): Promise<void> {
  const owned = [...(await source.fields(id))].filter(([field]) => field !== 'n' && field !== 'swept');
  for (;;) {
    const { version } = await target.read(id, []);
    const known = await target.fields(id);
    const put: Record<string, string> = {};
    for (const [session, created] of owned) {
      if (known.has(session)) continue;
      if ((await target.read(`session/${session}`, [])).version !== '') put[session] = created;
    }
    const add = { n: Object.keys(put).length };
    if (add.n === 0 || 'version' in (await target.commit(id, { if: version, put, add }))) return;
  }
}

async function copyRounds(copying: RecordCopying, isPublic: boolean): Promise<CopiedRecords['rounds']> {
  const { source, target, keepRounds, onProgress } = copying;
  const ids = await idsOf(source, 'rounds/');
  let total = 0;
  for (const id of ids) {
    const { first, last } = await source.read(id, []);
    total += last - first + 1;
  }
  let [found, added, unreadable] = [0, 0, 0];
  for (const id of ids) {
    const isBounded = isPublic && id !== `rounds/${localPlayer}`;
    const onLine = (line: string, isAdded: boolean) => {
      if (line === '') unreadable += 1;
      else found += 1;
      if (line !== '' && isAdded) added += 1;
      onProgress('rounds', found + unreadable, total);
    };
    if (await copyAllRounds(source, target, id, isBounded ? keepRounds : undefined, onLine)) continue;
    await addMissingRounds(copying, id, onLine);
  }
  await recountRounds(target);
  return { found, added, ...(unreadable > 0 && { unreadable }) };
}

/** False if the target has rounds of this player, or if they are too many. */
async function copyAllRounds(
  source: Records,
  target: Records,
  id: string,
  ttl: number | undefined,
  onLine: (line: string, isAdded: boolean) => void,
): Promise<boolean> {
  if ((await target.read(id, [])).version !== '') return false;
  const { first, put, push } = await snapshot(source, id, maxChange);
  if (push === undefined) return false;
  const life = ttl === undefined ? {} : { ttl };
  const done = await target.commit(id, { if: '', put, push, trim: first, ...life, durable: true });
  if ('refused' in done) return false;
  for (const line of push.slice(first - 1)) onLine(line, true);
  return true;
}

interface Snapshot {
  readonly put: Readonly<Record<string, string>>;
  readonly first: number;
  /** All lines, removed ones as empty ones, so that numbers stay; undefined if they are too large. */
  readonly push: readonly string[] | undefined;
}

/** A record at one moment, while others may change it. */
async function snapshot(source: Records, id: string, max = Number.POSITIVE_INFINITY): Promise<Snapshot> {
  for (;;) {
    const { version, first, last } = await source.read(id, []);
    const put = Object.fromEntries(await source.fields(id));
    const push = Array.from({ length: first - 1 }, () => '');
    let size = push.length;
    for (let at = first; at <= last && size <= max; at += linesPerRead) {
      const lines = await source.lines(id, at, Math.min(last, at + linesPerRead - 1));
      for (const line of lines) size += line.length;
      push.push(...lines);
    }
    if ((await source.read(id, [])).version === version)
      return { put, first, push: size > max ? undefined : push };
  }
}

async function addMissingRounds(
  { source, target, now }: RecordCopying,
  id: string,
  onLine: (line: string, isAdded: boolean) => void,
): Promise<void> {
  const player = id.slice('rounds/'.length);
  const options = { quota: Number.POSITIVE_INFINITY, retention: undefined, clock: () => now };
  const rounds = createRounds(target, options);
  const { first, last } = await source.read(id, []);
  for (let at = first; at <= last; at += linesPerRead) {
    for (const line of await source.lines(id, at, Math.min(last, at + linesPerRead - 1))) {
      const round = parseRoundLine(line);
      onLine(
        round === undefined ? '' : line,
        round !== undefined && (await rounds.add(player, round)) === 'added',
      );
    }
  }
}

async function copyCounters({ source, target, onProgress }: RecordCopying): Promise<Copied> {
  let [found, added] = [0, 0];
  for (const id of await idsOf(source, 'pulse/')) {
    const counts = await source.fields(id);
    added += await raise(target, id, counts);
    found += counts.size;
    onProgress('counters', found, found);
  }
  return { found, added };
}

/** Raises counters to at least these. Resolves to how many were lower. */
async function raise(target: Records, id: string, counts: ReadonlyMap<string, string>): Promise<number> {
  for (;;) {
    const { version } = await target.read(id, []);
    const known = await target.fields(id);
    const add: Record<string, number> = {};
    for (const [field, count] of counts) {
      const more = Number(count) - Number(known.get(field) ?? 0);
      if (more > 0) add[field] = more;
    }
    const raised = Object.keys(add).length;
    if (raised === 0 || 'version' in (await target.commit(id, { if: version, add, durable: true })))
      return raised;
  }
}

/** Sorted, so that a copy that is run again goes the same way. */
export async function idsOf(records: Records, prefix: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of records.ids(prefix)) ids.push(id);
  return ids.sort();
}

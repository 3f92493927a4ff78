import { randomUUID } from 'node:crypto';
import { addressKeyRecord, readAddressKey } from '../../../server/stores/address-key.ts';
import { localPlayer } from '../../../server/stores/player.ts';
import type { Records } from '../../../server/stores/records/records.ts';
import { recountRounds } from '../../../server/stores/round-quota.ts';
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
  /** `unreadable`: rounds in damaged or missing files, which are not among those found. */
  readonly rounds: Copied & { readonly unreadable?: number };
  readonly counters: Copied;
  /** False if the target hashes addresses with another secret. */
  readonly hasSameKey: boolean;
}

/** Lines that are copied together. */
const linesPerChange = 200;

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
    if (ttl <= 0) continue;
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

/** A consistent copy of a record, which others may be changing. Removed lines are empty: numbers stay. */
async function snapshot(source: Records, id: string) {
  for (;;) {
    const { version, first, last } = await source.read(id, []);
    const put = Object.fromEntries(await source.fields(id));
    const push = [...Array<string>(first - 1).fill(''), ...(await source.lines(id, first, last))];
    if ((await source.read(id, [])).version === version) return { first, put, push };
  }
}

async function copyRounds(copying: RecordCopying, isPublic: boolean): Promise<CopiedRecords['rounds']> {
  const { source, target, keepRounds, onProgress } = copying;
  const players = await idsOf(source, 'rounds/');
  let total = 0;
  for (const id of players) {
    const { first, last } = await source.read(id, []);
    total += last - first + 1;
  }
  let [found, added, unreadable] = [0, 0, 0];
  for (const id of players) {
    const isBounded = isPublic && id !== `rounds/${localPlayer}`;
    const addMissing = createRoundAdder(target, id, isBounded ? { ttl: keepRounds } : {});
    const { first, last } = await source.read(id, []);
    for (let at = first; at <= last; at += linesPerChange) {
      const lines = await source.lines(id, at, Math.min(last, at + linesPerChange - 1));
      const rounds = lines.filter((line) => line !== '');
      found += rounds.length;
      unreadable += lines.length - rounds.length;
      added += await addMissing(rounds);
      onProgress('rounds', found + unreadable, total);
    }
  }
  await recountRounds(target);
  return { found, added, ...(unreadable > 0 && { unreadable }) };
}

/** Adds the rounds that a player does not have. Each time, resolves to how many they were. */
function createRoundAdder(target: Records, id: string, life: { readonly ttl?: number }) {
  const read = async () => {
    const { version, first, last, values } = await target.read(id, ['epoch']);
    const keys = new Set((await target.lines(id, first, last)).map(roundKey));
    return { version, keys, epoch: values?.[0] ?? randomUUID() };
  };
  let known: Awaited<ReturnType<typeof read>> | undefined;
  return async (lines: readonly string[]): Promise<number> => {
    for (;;) {
      known ??= await read();
      const { version, keys, epoch } = known;
      const push = lines.filter((line) => !keys.has(roundKey(line)));
      if (push.length === 0) return 0;
      const bytes = push.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      const change = { if: version, put: { epoch }, add: { bytes }, push, ...life, durable: true };
      const done = await target.commit(id, change);
      known = 'version' in done ? { version: done.version, keys, epoch } : undefined;
      for (const line of push) keys.add(roundKey(line));
      if (known !== undefined) return push.length;
    }
  };
}

/** Its id; of a round of a later version, all of it. */
function roundKey(line: string): string {
  return parseRoundLine(line)?.id ?? line;
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

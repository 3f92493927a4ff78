import { createHash, randomUUID } from 'node:crypto';
import type { ServeConfig } from '../../../server/settings/config.ts';
import { localPlayer } from '../../../server/stores/player.ts';
import type { RecordChange, Records } from '../../../server/stores/records/records.ts';
import { recountRounds } from '../../../server/stores/round-quota.ts';
import { addressKeyName, createSharedText } from '../../../server/stores/shared-text.ts';
import { parseRoundLine } from '../../../server/stores/stored-round.ts';

/** How many things a source has, and how many of them the target did not have. */
export interface Copied {
  readonly found: number;
  readonly added: number;
}

export interface RecordCopying extends Pick<ServeConfig, 'sessionTtl' | 'keepRounds'> {
  readonly source: Records;
  readonly target: Records;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly onProgress: (step: string, done: number, total: number) => void;
}

const linesPerChange = 200;

/**
 * Copies sessions, rounds, counters and the address key. What the target has is never replaced: rounds are
 * added by their ids, and counters are raised to those of the source. If interrupted, it can be run again.
 * Servers may use both sides meanwhile.
 */
export async function copyRecords(copying: RecordCopying) {
  const { source, target } = copying;
  const text = await createSharedText(source, addressKeyName).read();
  const known = await createSharedText(target, addressKeyName).update((own = text) => ({
    text: own,
    result: own,
  }));
  return {
    /** False if the target hashes addresses with another secret. */
    hasSameKey: text === undefined || text === known,
    sessions: await copySessions(copying),
    rounds: await copyRounds(copying, known !== undefined),
    counters: await copyCounters(copying),
  };
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
  for (const id of await idsOf(source, 'owner/')) {
    const owned = [...(await source.fields(id))].filter(([field]) => field !== 'n' && field !== 'swept');
    await merge(target, id, async (known) => {
      const put: Record<string, string> = {};
      for (const [session, created] of owned)
        if (!known.has(session) && (await target.read(`session/${session}`)).version !== '')
          put[session] = created;
      const n = Object.keys(put).length;
      return { count: n, change: { put, add: { n } } };
    });
  }
  return { found, added };
}

/** A consistent copy of a record, which others may be changing. Removed lines are empty: numbers stay. */
async function snapshot(source: Records, id: string) {
  for (;;) {
    const { version, first, last } = await source.read(id);
    const put = Object.fromEntries(await source.fields(id));
    const push = [...Array<string>(first - 1).fill(''), ...(await source.lines(id, first, last))];
    if ((await source.read(id)).version === version) return { first, put, push };
  }
}

/**
 * Adds to a record what it lacks, and retries after a conflict. Resolves to the number of additions.
 *
 * @param lacking what a record with these fields lacks
 */
async function merge(
  target: Records,
  id: string,
  lacking: (known: ReadonlyMap<string, string>) => Promise<{ count: number; change: RecordChange }>,
): Promise<number> {
  for (;;) {
    const { version } = await target.read(id);
    const { count, change } = await lacking(await target.fields(id));
    if (count === 0) return 0;
    if ('version' in (await target.commit(id, { if: version, durable: true, ...change }))) return count;
  }
}

/** `unreadable`: rounds in damaged or missing files, which are not among those found. */
async function copyRounds({ source, target, keepRounds, onProgress }: RecordCopying, isPublic: boolean) {
  const players = await idsOf(source, 'rounds/');
  const spans = await Promise.all(players.map((id) => source.read(id)));
  const total = spans.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  let [found, added, unreadable] = [0, 0, 0];
  for (const id of players) {
    const life = isPublic && id !== `rounds/${localPlayer}` ? { ttl: keepRounds } : {};
    const lines = await linesAtOnce(source, id);
    const rounds = lines.filter((line) => line !== '');
    found += rounds.length;
    unreadable += lines.length - rounds.length;
    const before = found - rounds.length;
    const onAdded = (count: number) => onProgress('rounds', before + count, total);
    added += await addRounds(target, id, rounds, life, onAdded);
    onProgress('rounds', found + unreadable, total);
  }
  await recountRounds(target);
  return { found, added, ...(unreadable > 0 && { unreadable }) };
}

/** The lines of a record at one moment: with another epoch, those of rounds have other numbers. */
async function linesAtOnce(source: Records, id: string): Promise<readonly string[]> {
  for (;;) {
    const { first, last, values } = await source.read(id, ['epoch']);
    const lines = await source.lines(id, first, last);
    if ((await source.read(id, ['epoch'])).values[0] === values[0]) return lines;
  }
}

/** A line of a round, with what its place depends on. */
interface PlacedRound {
  readonly line: string;
  /** The id of the round; the whole line if a later version wrote it. */
  readonly key: string;
  readonly time: string;
}

/** A round that a later version wrote stays behind the one before it, at first `before`. */
function placedRounds(lines: readonly string[], before = ''): PlacedRound[] {
  let time = before;
  return lines.map((line) => {
    const round = parseRoundLine(line);
    time = round?.completedAt ?? time;
    return { line, key: round?.id ?? line, time };
  });
}

/**
 * Begins again whenever somebody else has changed the record, and then reads only what was added: a player may
 * be adding rounds all the time. Resolves to the number of added rounds.
 */
async function addRounds(
  target: Records,
  id: string,
  lines: readonly string[],
  life: RecordChange,
  onAdded: (count: number) => void,
): Promise<number> {
  const rounds = placedRounds(lines);
  let known: PlacedRound[] = [];
  let [knownEpoch, knownLast]: [string | undefined, number] = ['', 0];
  let added = 0;
  for (;;) {
    const { version: current, first, last, values } = await target.read(id, ['epoch']);
    const [epoch] = values;
    if (epoch !== knownEpoch) [known, knownEpoch, knownLast] = [[], epoch, first - 1];
    // What cannot be read any more has no place in time.
    const later = (await target.lines(id, knownLast + 1, last)).filter((line) => line !== '');
    known.push(...placedRounds(later, known.at(-1)?.time));
    knownLast = last;
    let version: string | undefined = current;
    for (const { count, ...change } of changesFor(known, rounds, last, epoch)) {
      // A record that was there lives as long as its servers say.
      const ttl = version === '' ? life : {};
      const done = await target.commit(id, { if: version, ...change, ...ttl, durable: true });
      version = 'version' in done ? done.version : undefined;
      if (version === undefined) break;
      added += count;
      onAdded(added);
    }
    if (version !== undefined) return added;
  }
}

/**
 * The changes that add to a player's record what it lacks, `count` rounds each. They keep the order of time at
 * every moment: servers list the last rounds as the latest, and remove the first ones as the oldest. Rounds
 * before those that are there come in one change that writes all again: nobody sees one twice, or not at all.
 */
function changesFor(
  known: readonly PlacedRound[],
  rounds: readonly PlacedRound[],
  last: number,
  epoch: string = randomUUID(),
): readonly (RecordChange & { readonly count: number })[] {
  const keys = new Set(known.map(({ key }) => key));
  const lacking = rounds.filter(({ key }) => !keys.has(key));
  if (lacking.length === 0) return [];
  const all = [...known, ...lacking].sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
  const linesOf = (some: readonly PlacedRound[]) => some.map(({ line }) => line);
  const bytesOf = (some: readonly PlacedRound[]) =>
    some.reduce((sum, { line }) => sum + Buffer.byteLength(line), 0);
  if (known.some((round, at) => round !== all[at])) {
    const again = { put: { epoch: randomUUID() }, push: linesOf(all), trim: last + 1 };
    return [{ count: lacking.length, add: { bytes: bytesOf(lacking) }, ...again }];
  }
  const changes: (RecordChange & { readonly count: number })[] = [];
  for (let at = known.length; at < all.length; at += linesPerChange) {
    const some = all.slice(at, at + linesPerChange);
    changes.push({ count: some.length, put: { epoch }, add: { bytes: bytesOf(some) }, push: linesOf(some) });
  }
  return changes;
}

/** Raises counters to at least those of the source; those that were lower are the added ones. */
async function copyCounters({ source, target, onProgress }: RecordCopying): Promise<Copied> {
  let [found, added] = [0, 0];
  for (const id of await idsOf(source, 'pulse/')) {
    const counts = await source.fields(id);
    added += await merge(target, id, async (known) => {
      const add: Record<string, number> = {};
      for (const [field, count] of counts) {
        const more = Number(count) - Number(known.get(field) ?? 0);
        if (more > 0) add[field] = more;
      }
      return { count: Object.keys(add).length, change: { add } };
    });
    found += counts.size;
    onProgress('counters', found, found);
  }
  return { found, added };
}

const localFields = ['used', 'epoch', 'bytes'];

/** A hash of what is copied of each record; lines in any order, because a copy appends missing rounds. */
export async function recordHashes(records: Records): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const prefix of [`text/${addressKeyName}`, 'session/', 'rounds/', 'pulse/'])
    for (const id of await idsOf(records, prefix)) {
      const fields = [...(await records.fields(id))].filter(([name]) => !localFields.includes(name)).sort();
      const lines = (await linesAtOnce(records, id)).filter((line) => line !== '').sort();
      if (fields.length + lines.length === 0) continue;
      const text = JSON.stringify([fields, lines]);
      hashes.set(id, createHash('sha256').update(text).digest('base64'));
    }
  return hashes;
}

/** Sorted, so that a repeated copy goes in the same order. */
async function idsOf(records: Records, prefix: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of records.ids(prefix)) ids.push(id);
  return ids.sort();
}

import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { createRecentCache } from '../../kit/recent-cache.ts';
import { inSlices } from '../../kit/slices.ts';
import { addRoundsInSteps, type History, newHistory } from '../../typing/statistics/history.ts';
import { languageOf } from './languages.ts';
import { localPlayer, type PageRequest, type PlayerId } from './player.ts';
import type { Records } from './records/records.ts';
import { createRoundQuota } from './round-quota.ts';
import { formatVersion, parseRoundLine, roundLine, type StoredRound } from './stored-round.ts';

export interface RoundPage {
  readonly rounds: readonly StoredRound[];
  /** The `after` of the next page; missing at the end of the list. */
  readonly next?: string;
}

/** Finished rounds. A round is identified by its id: adding it twice adds it once. */
export type Rounds = ReturnType<typeof createRounds>;

/** There is no room for a round. */
export class RoundNotStoredError extends Error {}

export interface RoundsOptions {
  /** Maximum size in bytes of the rounds of all players. */
  readonly quota: number;
  /** Bounds for players other than the local one, undefined: none. `age`: milliseconds, in whole days. */
  readonly retention: { readonly maxRounds: number; readonly age: number } | undefined;
  /** Kinds of rounds that are told apart in the history of a player; default: all. */
  readonly maxKinds?: number | undefined;
  readonly clock: () => number;
  /** By which rounds are too old: see `StoresOptions`. Default: `clock`. */
  readonly earliest?: () => number;
}

/** Everything derived from the lines of a player up to one of them. */
interface Snapshot {
  readonly history: History;
  /** A key for the id of the round in each line, see `keyOf`. */
  readonly ids: string;
  /** Number of the last line, and a key for its text. */
  readonly last: number;
  readonly lastKey: string;
  /**
   * When the first round was finished. Later ones may be a little older: several servers may add rounds at
   * once.
   */
  readonly oldest: number | undefined;
  readonly bytes: number;
  /** That of the record whose lines these are. */
  readonly epoch: string;
}

/** This process's copy of a player's rounds. */
interface Copy extends Snapshot {
  readonly version: string;
  readonly first: number;
  /** `last` of the stored snapshot. */
  readonly snapshotLast: number;
}

/** Maximum number of players whose histories are cached. */
const maxCopies = 100;
/** Maximum number of players whose last version on disk is remembered, in 100 bytes each. */
const maxFlushed = 10_000;
/** Chapters of a history whose size in the cache is 1. Each takes up to 0.3 MB. */
const usualChapters = 2;
/**
 * A snapshot is stored after 20 rounds, or after a hundredth of all if that is more: reading begins with it,
 * and storing it costs little for each round.
 */
const snapshotEvery = 20;
const snapshotShare = 0.01;
/** Lines that are read together: of all rounds, and of a page, whose rounds may be long. */
const linesPerRead = 50;
const linesOfPage = 20;
/** Characters after which a page ends: some 140 rounds of 30 words, which take 12 ms to replay. */
const maxPageLength = 200_000;
/** Maximum number of attempts to read a record that changes. */
const maxAttempts = 20;
/** Rounds that are removed together, as a share of what a player may have. */
const trimShare = 0.05;
const day = 24 * 60 * 60 * 1000;

const recordOf = (player: PlayerId) => `rounds/${player}`;
/** The derived snapshot, which may be removed. It is the last line, because lines take no memory. */
const snapshotRecord = (player: PlayerId) => `folded/${player}`;

/*
 * The record of a player has a line for each round, and two fields: `bytes` of all lines, for the quota, and
 * `epoch`, which changes when rounds are removed. The snapshot derived from the lines is in another record,
 * so that this one stays small except for its lines.
 */

export function createRounds(
  records: Records,
  { quota, retention, maxKinds = Number.POSITIVE_INFINITY, clock, earliest = clock }: RoundsOptions,
) {
  const copies = createRecentCache<Copy>(maxCopies, {
    sizeOf: ({ history }) => Math.max(1, Object.keys(history.chapters).length / usualChapters),
  });
  /** Versions that were forced to disk: each time makes a file longer. */
  const flushed = createRecentCache<string>(maxFlushed);
  const queue = createKeyedQueue();
  /** Histories that are not cached are read one after the other, as each takes megabytes while it is read. */
  const readings = createKeyedQueue();
  const quotaRoom = createRoundQuota(records, quota, clock);
  const boundsOf = (player: PlayerId) => (player === localPlayer ? undefined : retention);
  /** Time to live of a player's rounds after the last one, in milliseconds. */
  const lifeOf = (player: PlayerId) => {
    const bounds = boundsOf(player);
    return bounds && { ttl: bounds.age + day };
  };
  const load = async (player: PlayerId): Promise<Copy> => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const copy = await (copies.get(player) ? read(player) : readings.run('', () => read(player)));
      if (copy !== undefined && !(await trim(player, copy))) return copy;
    }
    throw new Error('The record of a player’s rounds is damaged, or never the same.');
  };

  /** Undefined if the record has changed in such a way that it must be read again. */
  const read = async (player: PlayerId): Promise<Copy | undefined> => {
    const known = copies.get(player);
    const record = await records.read(recordOf(player), ['epoch'], known?.version);
    const { version, first, last } = record;
    if (known?.version === version) return known;
    // A first round begins one.
    const [epoch = randomUUID()] = record.values;
    const found = known ?? (await readSnapshot(player));
    const isSound = found?.epoch === epoch && (await isStillThere(player, found));
    copies.delete(player);
    if (known !== undefined && !isSound) return undefined;
    const start = isSound ? found : emptySnapshot(first, epoch);
    const folded = await fold(player, start, last);
    if (folded === undefined) return undefined;
    const copy = { ...folded, version, first, snapshotLast: known?.snapshotLast ?? start.last };
    copies.put(player, copy);
    return copy;
  };

  const readSnapshot = async (player: PlayerId): Promise<Snapshot | undefined> => {
    const { last } = await records.read(snapshotRecord(player));
    return (await records.lines(snapshotRecord(player), last, last)).map(parseSnapshot)[0];
  };

  /**
   * Whether the line that was the last one is unchanged, and so all before it: after a failover to a lagging
   * replica, the store may have lost lines and then got others. A round that is sent again has another time.
   */
  const isStillThere = async (player: PlayerId, { last, lastKey }: Snapshot) => {
    const [line] = await records.lines(recordOf(player), last, last);
    return line !== undefined && keyOf(line) === lastKey;
  };

  const writeSnapshot = async (player: PlayerId, folded: Snapshot) => {
    const { epoch, history, ids, last, lastKey, oldest, bytes } = folded;
    const text = JSON.stringify({ v: formatVersion, epoch, last, lastKey, oldest, bytes, history, ids });
    // One that is longer than the rounds saves no time, and disks would fill beside the quota.
    if (text.length > bytes) return;
    const { last: old } = await records.read(snapshotRecord(player));
    await records.commit(snapshotRecord(player), { push: [text], trim: old + 1, ...lifeOf(player) });
    // The player may have been deleted meanwhile.
    const { values } = await records.read(recordOf(player), ['epoch']);
    if (values[0] !== epoch) await records.remove(snapshotRecord(player));
  };

  /** Adds the rounds in the lines after `start`, up to `last`. Undefined if some are gone. */
  const fold = async (player: PlayerId, start: Snapshot, last: number): Promise<Snapshot | undefined> => {
    let folded = start;
    while (folded.last < last) {
      const end = Math.min(last, folded.last + linesPerRead);
      const lines = await records.lines(recordOf(player), folded.last + 1, end);
      if (lines.length < end - folded.last) return undefined;
      folded = await withLines(folded, lines, maxKinds);
    }
    return folded;
  };

  /** Removes rounds that are too old or too many. Resolves to whether there were any. */
  const trim = async (player: PlayerId, copy: Copy): Promise<boolean> => {
    const bounds = boundsOf(player);
    if (bounds === undefined) return false;
    const { maxRounds, age } = bounds;
    const since = Math.floor((earliest() - age) / day) * day;
    const count = copy.last - copy.first + 1;
    if (count <= maxRounds && (copy.oldest ?? since) >= since) return false;
    const least = count <= maxRounds ? copy.first : copy.last - Math.floor(maxRounds * (1 - trimShare)) + 1;
    const first = await firstSince(player, least, copy.last, since);
    const left = await fold(player, emptySnapshot(first, randomUUID()), copy.last);
    if (left === undefined) return true;
    const put = { epoch: left.epoch, bytes: String(left.bytes) };
    const done = await records.commit(recordOf(player), { if: copy.version, put, trim: first, forget: true });
    if ('refused' in done) return true;
    await quotaRoom.giveBack(copy.bytes - left.bytes);
    await writeSnapshot(player, left);
    return true;
  };

  /** The first of these lines whose round is recent enough; the one after the last if none is. */
  const firstSince = async (player: PlayerId, from: number, to: number, since: number) => {
    for (let at = from; at <= to; at += linesPerRead) {
      const lines = await records.lines(recordOf(player), at, at + linesPerRead - 1);
      const rounds = lines.map(parseRoundLine);
      const found = rounds.findIndex((round) => round && Date.parse(round.completedAt) >= since);
      if (found !== -1) return at + found;
    }
    return to + 1;
  };

  const add = async (
    player: PlayerId,
    round: StoredRound,
    isWanted: () => Promise<boolean>,
  ): Promise<'added' | 'known' | 'unwanted'> => {
    const line = roundLine(round);
    const bytes = Buffer.byteLength(line);
    try {
      for (;;) {
        const copy = await load(player);
        if (lineOf(copy, round.id) !== undefined) return 'known';
        if (!(await isWanted())) return 'unwanted';
        const done = await quotaRoom.commit(bytes, recordOf(player), {
          if: copy.version,
          put: { epoch: copy.epoch },
          add: { bytes },
          push: [line],
          ...lifeOf(player),
        });
        if (done === undefined)
          throw new RoundNotStoredError(
            'finished rounds could not be saved: the quota of all rounds is used up',
          );
        if ('refused' in done) continue;
        if (copy.version === '' && !(await isWanted())) {
          // The player may have been forgotten after the check: a missing record has no version to compare.
          const gone = await records.commit(recordOf(player), { if: done.version, ttl: 0 });
          if ('version' in gone) await quotaRoom.giveBack(bytes).catch(() => undefined);
          return 'unwanted';
        }
        const folded = await withLines(copy, [line], maxKinds);
        const added = { ...folded, version: done.version };
        const isDue =
          added.last - added.snapshotLast >=
          Math.max(snapshotEvery, snapshotShare * (added.last - added.first));
        copies.put(player, isDue ? { ...added, snapshotLast: added.last } : added);
        // The round is stored; this only makes reading cheaper.
        if (isDue) await writeSnapshot(player, added).catch(() => undefined);
        return 'added';
      }
    } catch (error) {
      // It may have happened or not.
      copies.delete(player);
      throw error;
    }
  };

  return {
    /** All rounds of a player, folded. The same object until there is another round. */
    history: async (player: PlayerId) => (await load(player)).history,
    /**
     * Adds a round. Rejects with `RoundNotStoredError` if there is no room for it.
     *
     * @param isWanted called before the round is added, again if the player's rounds have changed meanwhile,
     * and after a first round: the player may have been forgotten
     */
    add: (player: PlayerId, round: StoredRound, isWanted = async () => true) =>
      queue.run(player, () => add(player, round, isWanted)),
    async find(player: PlayerId, id: string): Promise<StoredRound | undefined> {
      const number = lineOf(await load(player), id);
      if (number === undefined) return undefined;
      const [round] = (await records.lines(recordOf(player), number, number)).map(parseRoundLine);
      // Damage may have shifted the numbers of lines.
      return round?.id === id ? round : undefined;
    },
    /** Resolves once all rounds of a player that were added are as safe as the store can make them. */
    async flush(player: PlayerId): Promise<void> {
      for (;;) {
        const { version } = await records.read(recordOf(player));
        if (version === '' || version === flushed.get(player)) return;
        const done = await records.commit(recordOf(player), { if: version, durable: true });
        if ('refused' in done) continue;
        flushed.put(player, done.version);
        return;
      }
    },
    /** Newest first; undefined if `after` is unknown. A page of large rounds may be shorter than `limit`. */
    async list(player: PlayerId, { limit, after }: PageRequest): Promise<RoundPage | undefined> {
      const copy = await load(player);
      const { first, last } = copy;
      let at = after === undefined ? last + 1 : lineOf(copy, after);
      if (at === undefined) return undefined;
      const rounds: StoredRound[] = [];
      let length = 0;
      while (length < maxPageLength) {
        // Nothing, if the page is full or the list ends.
        const from = at - Math.min(linesOfPage, limit - rounds.length);
        const lines = await records.lines(recordOf(player), from, at - 1);
        if (lines.length === 0) break;
        for (const line of lines.toReversed()) {
          if (length >= maxPageLength) break;
          at -= 1;
          const round = parseRoundLine(line);
          // One that cannot be read takes no room: a page without rounds would end the list.
          if (round === undefined) continue;
          length += line.length;
          rounds.push(round);
        }
        await nextTurn();
      }
      const next = at > first ? rounds.at(-1)?.id : undefined;
      return next === undefined ? { rounds } : { rounds, next };
    },
    /** Permanently removes all rounds of a player. */
    deleteAll: (player: PlayerId): Promise<void> =>
      queue.run(player, async () => {
        copies.delete(player);
        for (;;) {
          const { version, values } = await records.read(recordOf(player), ['bytes']);
          if (version === '') break;
          // Of several servers that do this at once, only one gives the room back.
          const done = await records.commit(recordOf(player), { if: version, ttl: 0 });
          if ('version' in done) await quotaRoom.giveBack(Number(values[0]));
        }
        await records.remove(recordOf(player));
        await records.remove(snapshotRecord(player));
      }),
  };
}

function emptySnapshot(first: number, epoch: string): Snapshot {
  return {
    history: newHistory(),
    ids: '',
    last: first - 1,
    lastKey: noKey,
    oldest: undefined,
    bytes: 0,
    epoch,
  };
}

/** Undefined if it is damaged, or of another version, which may have understood fewer rounds. */
function parseSnapshot(text: string): Snapshot | undefined {
  try {
    const snapshot = JSON.parse(text);
    return snapshot.v === formatVersion ? snapshot : undefined;
  } catch {
    return undefined;
  }
}

/** The snapshot after further lines. */
async function withLines<T extends Snapshot>(before: T, lines: readonly string[], kinds: number): Promise<T> {
  const rounds = lines.map(parseRoundLine);
  const intact = rounds.filter((round) => round !== undefined);
  const [first] = intact;
  return {
    ...before,
    history: await inSlices(addRoundsInSteps(before.history, intact, languageOf, kinds)),
    ids: before.ids + rounds.map(roundKey).join(''),
    last: before.last + lines.length,
    lastKey: keyOf(lines.at(-1) as string),
    oldest: before.oldest ?? (first && Date.parse(first.completedAt)),
    bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line), before.bytes),
  };
}

function roundKey(round: StoredRound | undefined): string {
  return round ? keyOf(round.id) : noKey;
}

/** Characters of a hash in a key, which are 60 bits. */
const hashLength = 10;

/** The beginning of the hash of a text, and a space, which no other key contains. */
function keyOf(text: string): string {
  return `${createHash('sha256').update(text).digest('base64url').slice(0, hashLength)} `;
}

/** For a line that cannot be read. */
const noKey = ' '.repeat(hashLength + 1);

function lineOf({ ids, first }: Copy, id: string): number | undefined {
  const at = ids.indexOf(keyOf(id));
  return at === -1 ? undefined : first + at / noKey.length;
}

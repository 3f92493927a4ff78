import { randomUUID } from 'node:crypto';
import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { createRecent } from '../../kit/recent.ts';
import { inSlices } from '../../kit/slices.ts';
import { foldSteps, type History, newHistory } from '../../typing/statistics/history.ts';
import { languageOf } from './languages.ts';
import { localPlayer, type PageRequest, type PlayerId } from './player.ts';
import type { Records } from './records/records.ts';
import { createRoundIndex } from './round-ids.ts';
import { createRoundQuota } from './round-quota.ts';
import { parseRoundLine, roundLine, type StoredRound } from './stored-round.ts';

export interface RoundPage {
  readonly rounds: readonly StoredRound[];
  /** The `after` of the next page; missing at the end of the list. */
  readonly next?: string;
}

/** Keeps finished rounds. A round is identified by its id: adding it twice adds it once. */
export interface Rounds {
  /** All rounds of a player, folded. The same object until there is another round. */
  history(player: PlayerId): Promise<History>;
  /**
   * Adds a round. Rejects with `RoundsNotKeptError` if there is no room for it.
   *
   * @param isWanted asked before the round is added, again if the player's rounds have changed meanwhile, and
   * after a first round: the player may have been forgotten
   */
  add(
    player: PlayerId,
    round: StoredRound,
    isWanted?: () => Promise<boolean>,
  ): Promise<'added' | 'known' | 'unwanted'>;
  find(player: PlayerId, id: string): Promise<StoredRound | undefined>;
  /** Resolves once all rounds of a player that were added are as safe as the store can make them. */
  flush(player: PlayerId): Promise<void>;
  /** The newest first; undefined if `after` is not one of them. A page of large rounds may have fewer than `limit`. */
  list(player: PlayerId, page: PageRequest): Promise<RoundPage | undefined>;
  /** Permanently removes all rounds of a player. */
  forget(player: PlayerId): Promise<void>;
}

export class RoundsNotKeptError extends Error {
  constructor(message: string) {
    super(`finished rounds could not be saved: ${message}`);
    this.name = 'RoundsNotKeptError';
  }
}

export interface RoundsOptions {
  /** Most bytes of the rounds of all players. */
  readonly quota: number;
  /** Bounds for players other than the local one; undefined: none. */
  readonly retention: Retention | undefined;
  readonly clock: () => number;
}

export interface Retention {
  readonly maxRounds: number;
  /** Milliseconds that a round is kept, in whole days. */
  readonly age: number;
}

/** What this process knows of a player. */
interface Copy {
  readonly version: string;
  /** Changes when rounds are removed: the history is then counted again. */
  readonly epoch: string;
  readonly history: History;
  readonly first: number;
  /** Number of the last line in the history, and the id of its round. */
  readonly last: number;
  readonly lastId: string;
  /** Number of the last line in the history that is kept. */
  readonly folded: number;
  /** When the first round that is kept was finished. Later ones may be a little older: several servers may add rounds at once. */
  readonly oldest: number;
  readonly bytes: number;
}

/** The history up to a line. */
interface Folded extends Pick<Copy, 'epoch' | 'history' | 'lastId'> {
  readonly line: number;
}

/** Players whose histories this process keeps. */
const maxCopies = 100;
/** The history is kept after this many rounds, so that reading it begins with it. */
const foldEvery = 20;
/** Lines that are read together: usual rounds, and those of a page, which may be long. */
const linesPerRead = 50;
const firstLinesOfPage = 10;
/** Characters after which a page ends. */
const maxPageLength = 1_000_000;
/** Rounds that are removed together, as a share of what a player may have. */
const trimShare = 0.05;
const day = 24 * 60 * 60 * 1000;

const recordOf = (player: PlayerId) => `rounds/${player}`;
/** What is derived from the rounds: it may be removed at any time. */
const foldedRecord = (player: PlayerId) => `folded/${player}`;

/*
 * The record of a player has a line for each round, and these fields: `oldest`; `bytes` of all lines;
 * `epoch`. The history up to a line and the ids of all rounds are derived; they are in records of their own,
 * so that this one stays small but for its lines.
 */

export function createRounds(records: Records, { quota, retention, clock }: RoundsOptions): Rounds {
  const copies = createRecent<Copy>(maxCopies);
  const queue = createKeyedQueue();
  const room = createRoundQuota(records, quota, clock);
  /** Milliseconds after the last round after which nothing of a player is kept. */
  const lifeOf = (player: PlayerId) =>
    retention === undefined || player === localPlayer ? undefined : retention.age + day;
  const idOfLine = async (player: PlayerId, number: number): Promise<string> => {
    const [line] = await records.lines(recordOf(player), number, number);
    return (line === undefined ? undefined : parseRoundLine(line)?.id) ?? '';
  };
  const index = createRoundIndex(records, { recordOf, idOfLine, lifeOf });

  const load = async (player: PlayerId): Promise<Copy> => {
    for (;;) {
      const copy = await read(player);
      if (copy !== undefined && !(await trim(player, copy))) return copy;
    }
  };

  /** Undefined if the record has changed in such a way that it must be read again. */
  const read = async (player: PlayerId): Promise<Copy | undefined> => {
    const known = copies.get(player);
    const record = await records.read(recordOf(player), ['epoch', 'oldest', 'bytes'], known?.version);
    if (known !== undefined && record.values === undefined) return known;
    const [epoch = '', oldest, bytes] = record.values ?? [];
    if (known !== undefined && (known.epoch !== epoch || record.last < known.last)) {
      copies.delete(player);
      return undefined;
    }
    const start = known ?? (await readFolded(player, epoch, record));
    const folded = await foldLines(player, start, record.last);
    if (folded === undefined) {
      copies.delete(player);
      return undefined;
    }
    const { first, last, version } = record;
    // Missing if its change was damaged: then `trim` finds it.
    const sums = { oldest: Number(oldest ?? 0), bytes: Number(bytes ?? 0) };
    const copy = { version, epoch, ...folded, first, last, folded: start.folded, ...sums };
    copies.put(player, copy);
    return copy;
  };

  /** Where reading begins: with the history that is kept, or before the first line. */
  const readFolded = async (
    player: PlayerId,
    epoch: string,
    { first, last }: Pick<Copy, 'first' | 'last'>,
  ): Promise<Pick<Copy, 'history' | 'last' | 'lastId' | 'folded'>> => {
    const { values } = last < first ? {} : await records.read(foldedRecord(player), ['text']);
    const kept = values?.[0] === undefined ? undefined : (JSON.parse(values[0]) as Folded);
    if (kept !== undefined && kept.epoch === epoch && kept.line <= last) {
      const { history, line, lastId } = kept;
      if ((await idOfLine(player, line)) === lastId) return { history, last: line, lastId, folded: line };
    }
    return { history: newHistory(), last: first - 1, lastId: '', folded: first - 1 };
  };

  const keepFolded = async (player: PlayerId, { epoch, last: line, lastId, history }: Copy) => {
    const text = JSON.stringify({ epoch, line, lastId, history } satisfies Folded);
    const ttl = lifeOf(player);
    await records.commit(foldedRecord(player), { put: { text }, ...(ttl !== undefined && { ttl }) });
    // The player may have been forgotten meanwhile.
    const { values } = await records.read(recordOf(player), ['epoch']);
    if (values?.[0] !== epoch) await records.remove(foldedRecord(player));
  };

  /**
   * The history with the lines after it, up to `last`. Undefined if lines are gone, or if the history is not
   * that of the lines before: after a failover to a replica that lags, the store may have gone back, and then
   * on.
   */
  const foldLines = async (
    player: PlayerId,
    { history, last: from, lastId }: Pick<Copy, 'history' | 'last' | 'lastId'>,
    last: number,
  ): Promise<Pick<Copy, 'history' | 'lastId'> | undefined> => {
    if (lastId !== '' && (await idOfLine(player, from)) !== lastId) return undefined;
    let folded = { history, lastId };
    for (let at = from + 1; at <= last; at += linesPerRead) {
      const end = Math.min(last, at + linesPerRead - 1);
      const lines = await records.lines(recordOf(player), at, end);
      if (lines.length < end - at + 1) return undefined;
      const rounds = lines.map(parseRoundLine).filter((round) => round !== undefined);
      folded = {
        history: await inSlices(foldSteps(folded.history, rounds, languageOf)),
        lastId: (lines.length > rounds.length ? '' : rounds.at(-1)?.id) ?? '',
      };
    }
    return folded;
  };

  /** Removes rounds that are too old or too many. Resolves to whether there were any. */
  const trim = async (player: PlayerId, copy: Copy): Promise<boolean> => {
    if (retention === undefined || player === localPlayer) return false;
    const { maxRounds, age } = retention;
    const since = Math.floor((clock() - age) / day) * day;
    const count = copy.last - copy.first + 1;
    if (count === 0 || (count <= maxRounds && copy.oldest >= since)) return false;
    const least = count <= maxRounds ? copy.first : copy.last - Math.floor(maxRounds * (1 - trimShare)) + 1;
    const first = await firstSince(player, Math.max(least, copy.first), copy.last, since);
    if (first > copy.last) {
      const done = await records.commit(recordOf(player), { if: copy.version, clear: true, ttl: 0 });
      if ('refused' in done) return true;
      await room.giveBack(copy.bytes);
      await removeDerived(player);
      return true;
    }
    let [bytes, history] = [0, newHistory()];
    let oldest: string | undefined;
    for (let at = first; at <= copy.last; at += linesPerRead) {
      const lines = await records.lines(recordOf(player), at, Math.min(copy.last, at + linesPerRead - 1));
      const rounds = lines.map(parseRoundLine).filter((round) => round !== undefined);
      for (const line of lines) bytes += Buffer.byteLength(line);
      oldest ??= rounds[0]?.completedAt;
      history = await inSlices(foldSteps(history, rounds, languageOf));
    }
    const sums = { epoch: randomUUID(), oldest: String(Date.parse(oldest as string)), bytes: String(bytes) };
    const done = await records.commit(recordOf(player), { if: copy.version, put: sums, trim: first });
    if ('refused' in done) return true;
    await room.giveBack(copy.bytes - bytes);
    await keepFolded(player, { ...copy, epoch: sums.epoch, history });
    return true;
  };

  /** The first of these lines whose round is recent enough; the one after the last if none is. */
  const firstSince = async (player: PlayerId, from: number, to: number, since: number) => {
    for (let at = from; at <= to; at += linesPerRead) {
      const lines = await records.lines(recordOf(player), at, Math.min(to, at + linesPerRead - 1));
      const found = lines.findIndex((line) => Date.parse(parseRoundLine(line)?.completedAt ?? '') >= since);
      if (found !== -1) return at + found;
    }
    return to + 1;
  };

  const removeDerived = async (player: PlayerId) => {
    await records.remove(foldedRecord(player));
    await index.remove(player);
  };

  const add: Rounds['add'] = async (player, round, isWanted = async () => true) => {
    const line = roundLine(round);
    const bytes = Buffer.byteLength(line);
    let isTaken = false;
    try {
      for (;;) {
        const copy = await load(player);
        const known = await index.find(player, copy, round.id);
        if (known.line !== undefined) return 'known';
        if (!(await isWanted())) return 'unwanted';
        if (!isTaken && !(await room.take(bytes)))
          throw new RoundsNotKeptError('the quota of all rounds is used up');
        isTaken = true;
        const completed = Date.parse(round.completedAt);
        const epoch = copy.epoch === '' ? randomUUID() : copy.epoch;
        const oldest = copy.last < copy.first ? completed : copy.oldest;
        const ttl = lifeOf(player);
        const put = {
          ...(epoch !== copy.epoch && { epoch }),
          ...(oldest !== copy.oldest && { oldest: String(oldest) }),
        };
        const done = await records.commit(recordOf(player), {
          if: copy.version,
          ...(Object.keys(put).length > 0 && { put }),
          add: { bytes },
          push: [line],
          ...(ttl !== undefined && { ttl }),
        });
        if ('refused' in done) continue;
        if (copy.version === '' && !(await isWanted())) {
          // No version told this server that the player was forgotten after it had asked.
          const gone = await records.commit(recordOf(player), { if: done.version, clear: true, ttl: 0 });
          isTaken = 'version' in gone;
          return 'unwanted';
        }
        isTaken = false;
        const history = await inSlices(foldSteps(copy.history, [round], languageOf));
        const sums = {
          epoch,
          oldest,
          bytes: copy.bytes + bytes,
          last: copy.last + 1,
          lastId: round.id,
          history,
        };
        const added = { ...copy, ...sums, version: done.version };
        const isDue = added.last - added.folded >= foldEvery;
        copies.put(player, isDue ? { ...added, folded: added.last } : added);
        // The round is stored; this only makes reading cheaper.
        await index.add(player, added, known.version).catch(() => undefined);
        if (isDue) await keepFolded(player, added).catch(() => undefined);
        return 'added';
      }
    } catch (error) {
      // It may have happened or not.
      copies.delete(player);
      throw error;
    } finally {
      if (isTaken) await room.giveBack(bytes).catch(() => undefined);
    }
  };

  return {
    history: async (player) => (await load(player)).history,
    add: (player, round, isWanted) => queue.run(player, () => add(player, round, isWanted)),
    async find(player, id) {
      const { line: number } = await index.find(player, await load(player), id);
      if (number === undefined) return undefined;
      const [line] = await records.lines(recordOf(player), number, number);
      return line === undefined ? undefined : parseRoundLine(line);
    },
    async flush(player) {
      for (;;) {
        const { version } = await records.read(recordOf(player), []);
        if (version === '') return;
        if ('version' in (await records.commit(recordOf(player), { if: version, durable: true }))) return;
      }
    },
    async list(player, { limit, after }) {
      const copy = await load(player);
      const { first, last } = copy;
      const before = after === undefined ? undefined : (await index.find(player, copy, after)).line;
      if (after !== undefined && before === undefined) return undefined;
      const rounds: StoredRound[] = [];
      let length = 0;
      let at = before ?? last + 1;
      let part = firstLinesOfPage;
      while (at > first && rounds.length < limit && length < maxPageLength) {
        const from = Math.max(first, at - Math.min(part, limit - rounds.length));
        const lines = await records.lines(recordOf(player), from, at - 1);
        for (const line of lines.toReversed()) {
          if (length >= maxPageLength) break;
          length += line.length;
          at -= 1;
          const round = parseRoundLine(line);
          if (round !== undefined) rounds.push(round);
        }
        if (lines.length === 0) break;
        const average = length / ((before ?? last + 1) - at);
        part = Math.max(1, Math.ceil((maxPageLength - length) / average));
      }
      const next = at > first ? rounds.at(-1)?.id : undefined;
      return next === undefined ? { rounds } : { rounds, next };
    },
    forget: (player) =>
      queue.run(player, async () => {
        const { values } = await records.read(recordOf(player), ['bytes']);
        await records.remove(recordOf(player));
        await removeDerived(player);
        copies.delete(player);
        await room.giveBack(Number(values?.[0] ?? 0));
      }),
  };
}

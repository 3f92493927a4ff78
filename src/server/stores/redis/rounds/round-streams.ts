import { randomBytes } from 'node:crypto';
import { keepAll, type Retention } from '../../round-retention.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { asideOf, onSoundKeys } from '../connection/damaged-keys.ts';
import { runScript, type Script } from '../connection/script.ts';
import { createMarkPlaces } from './mark-places.ts';
import { addScript, kinds, sizeScript } from './scripts/add-scripts.ts';
import { readBackScript, readScript } from './scripts/read-scripts.ts';

/** How far a player's rounds have been read. */
export interface StreamPosition {
  /** Changes when rounds are removed: what was read before is then void. */
  readonly epoch: string;
  /** Id of the last entry read. */
  readonly last: string;
}

export interface StreamPart {
  readonly position: StreamPosition;
  readonly lines: readonly string[];
  /** Whether these lines continue from the requested position; otherwise they start from the beginning. */
  readonly continues: boolean;
  /** Whether more lines follow. */
  readonly hasMore: boolean;
  /** Number of entries left out because they are not ours, or too long. */
  readonly skipped: number;
}

export interface StreamPage {
  /** Newest first. */
  readonly rounds: readonly UnsavedRound[];
  /** Whether there are earlier rounds. */
  readonly hasMore: boolean;
}

/** Bounds for a player. They may be exceeded a little, because after each removal all servers have to read everything again. */
export interface StreamBounds extends Retention {
  /** Milliseconds without new rounds after which the store removes those of a player; infinite: never. */
  readonly life: number;
}

export const noBounds: StreamBounds = { ...keepAll, life: Number.POSITIVE_INFINITY };

/** A round to add; an imported one with the time when it was finished, so that it is not kept longer than others. */
export interface AddedRound extends UnsavedRound {
  /** Milliseconds since 1970. Default: now, by the store's clock. */
  readonly finishedAt?: number;
}

/**
 * The finished rounds of each player, oldest first, as journal lines. All rounds of a player are in one slot, and a cluster
 * distributes the players. Every method rejects while the store is away.
 */
export interface RoundStreams {
  /** Bytes of a player's rounds once these are added; undefined if all of them exist already. */
  sizeWith(player: string, rounds: readonly UnsavedRound[]): Promise<number | undefined>;
  /** Bytes of a player's rounds. */
  size(player: string): Promise<number>;
  /**
   * Adds rounds, each once however often it is sent, and removes what exceeds the bounds. With a mark: false, and nothing is
   * added, if the player's rounds have been deleted since the mark was read.
   */
  add(player: string, rounds: readonly AddedRound[], bounds: StreamBounds, mark?: string): Promise<boolean>;
  /** Which of these rounds exist. */
  known(player: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether there are rounds of this player; a mark alone does not count. */
  hasAny(player: string): Promise<boolean>;
  /** A mark that changes when the player's rounds are deleted. */
  mark(player: string): Promise<string>;
  /** At most `count` rounds after a position, or from the first on if it is undefined. Fewer if they are large. */
  read(player: string, after: StreamPosition | undefined, count: number): Promise<StreamPart>;
  /** At most `count` rounds before the one with this id, fewer if they are large; undefined if there is no such round. */
  readBack(player: string, before: string | undefined, count: number): Promise<StreamPage | undefined>;
  /** Removes all rounds of a player, including damaged data that was set aside, and leaves a mark. */
  delete(player: string): Promise<void>;
}

export interface RoundStreamsOptions {
  readonly prefix: string;
  /** Most marks of deletions. Default: 20,000, which take about 8 MiB of the store. */
  readonly mostMarks?: number;
}

/**
 * Lifetime of a mark in seconds: longer than any server takes from reading it to adding rounds. If there is no mark, nothing was
 * deleted for that long, or thousands of other players were since.
 */
const markLife = 15 * 60;

/** KEYS: stream, entry ids by round id, epoch, bytes, mark. ARGV: new mark. */
const deleteScript: Script = {
  name: 'typebadgeDeleteRounds',
  keys: kinds,
  lua: `
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.call('SET', KEYS[5], ARGV[1], 'EX', ${markLife})
return 1`,
};

type Entry = readonly [id: string, fields: readonly string[]];

const toLine = ([, fields]: Entry) => fields[3] as string;
const toRound = (entry: Entry): UnsavedRound => ({ id: entry[1][1] as string, line: toLine(entry) });

export function createRoundStreams(
  store: StoreConnection,
  { prefix, mostMarks = 20_000 }: RoundStreamsOptions,
): RoundStreams {
  const markPlaces = createMarkPlaces(store, { prefix, most: mostMarks, life: markLife });
  const keysOf = (player: string) => {
    const root = `${prefix}:rounds:{${player}}`;
    return { stream: root, entries: `${root}:entries`, epoch: `${root}:epoch`, bytes: `${root}:bytes` };
  };
  const markOf = (player: string) => `${keysOf(player).stream}:mark`;
  return {
    async sizeWith(player, rounds) {
      const { entries, bytes } = keysOf(player);
      const args = rounds.flatMap(({ id, line }) => [id, String(Buffer.byteLength(line))]);
      return ((await runScript(store, sizeScript, entries, bytes, ...args)) as number | null) ?? undefined;
    },
    size: async (player) => Number((await store.run((client) => client.get(keysOf(player).bytes))) ?? 0),
    async add(player, rounds, bounds, mark = '*') {
      const { stream, entries, epoch, bytes } = keysOf(player);
      const args = rounds.flatMap(({ id, line, finishedAt = '' }) => [id, line, String(finishedAt)]);
      const keys = [stream, entries, epoch, bytes, markOf(player)] as const;
      const head = [newEpoch(), ...toArguments(bounds), mark];
      return (await runScript(store, addScript, ...keys, ...head, ...args)) === 1;
    },
    async known(player, ids) {
      if (ids.length === 0) return new Set();
      const key = keysOf(player).entries;
      const entries = await onSoundKeys(store, [{ key, kind: 'fields' }], () =>
        store.run((client) => client.hmget(key, ...ids)),
      );
      return new Set(ids.filter((_, at) => entries[at] !== null));
    },
    hasAny: async (player) => (await store.run((client) => client.exists(keysOf(player).stream))) > 0,
    async mark(player) {
      const key = markOf(player);
      const mark = await onSoundKeys(store, [{ key, kind: 'text' }], () =>
        store.run((client) => client.get(key)),
      );
      return mark ?? '';
    },
    async read(player, after, count) {
      const { stream, epoch: epochKey } = keysOf(player);
      const asked = [after?.epoch ?? '', after?.last ?? ''];
      const reply = await runScript(store, readScript, stream, epochKey, ...asked, String(count));
      const [epoch, entries, more, skipped] = reply as [string, readonly Entry[], number, number];
      const continues = after !== undefined && after.epoch === epoch;
      const last = entries.at(-1)?.[0] ?? (continues ? after.last : '');
      return {
        position: { epoch, last },
        lines: entries.map(toLine),
        continues,
        hasMore: more === 1,
        skipped,
      };
    },
    async readBack(player, before, count) {
      const { stream, entries } = keysOf(player);
      const reply = await runScript(store, readBackScript, stream, entries, before ?? '', String(count));
      if (reply === null) return undefined;
      const [page, more] = reply as [readonly Entry[], number];
      return { rounds: page.map(toRound), hasMore: more === 1 };
    },
    async delete(player) {
      const losing = await markPlaces.take(player);
      const removals = losing.map((other) => store.run((client) => client.unlink(markOf(other))));
      // Marks on a node that is away are not waited for: they expire.
      await Promise.allSettled(removals);
      const { stream, entries, epoch, bytes } = keysOf(player);
      const keys = [stream, entries, epoch, bytes, markOf(player)] as const;
      await runScript(store, deleteScript, ...keys, newEpoch());
      await store.run((client) => client.unlink(...keys.map(asideOf)));
    },
  };
}

/** Scripts have no infinity. */
function toArguments({ rounds, bytes, since, life }: StreamBounds): string[] {
  const [most, mostBytes] = [rounds, bytes].map((bound) => String(Math.min(bound, Number.MAX_SAFE_INTEGER)));
  const end = Number.isFinite(life) ? String(Math.ceil(life)) : '';
  return [most as string, mostBytes as string, String(Math.max(since, 0)), end];
}

function newEpoch(): string {
  return randomBytes(8).toString('hex');
}

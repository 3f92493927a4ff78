import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlayerId } from './player.ts';
import type { Records } from './records/records.ts';
import { parseRoundLine } from './stored-round.ts';

/** The lines of a player's rounds, as far as a caller knows them. */
export interface KnownLines {
  readonly epoch: string;
  readonly first: number;
  readonly last: number;
  /** The id of the round in the last line; `''` if that cannot be read. */
  readonly lastId: string;
}

/** Where the rounds of a player are by their ids. */
export interface RoundIndex {
  /** The line of a round, and the version of the index. Reads the lines that are not in it yet. */
  find(
    player: PlayerId,
    lines: KnownLines,
    id: string,
  ): Promise<{ line: number | undefined; version: string }>;
  /** Adds the last of these lines, if the index still has this version; otherwise `find` will. */
  add(player: PlayerId, lines: KnownLines, version: string): Promise<void>;
  remove(player: PlayerId): Promise<void>;
}

export interface RoundIndexOptions {
  /** The record with the rounds of a player. */
  readonly recordOf: (player: PlayerId) => string;
  /** The id of the round in a line; `''` if there is none. */
  readonly idOfLine: (player: PlayerId, number: number) => Promise<string>;
  /** Milliseconds without a change after which the index of a player may go. */
  readonly lifeOf: (player: PlayerId) => number | undefined;
}

const linesPerRead = 50;
const keyLength = 10;
const numberLength = 6;
const markField = 'mark';

/*
 * A record for each player with the ids of all rounds and the numbers of their lines, in 256 fields by their
 * hash. It is derived from the lines and may be removed at any time: a field says up to which line it goes,
 * and which round is there, because a store that has lost its latest changes may have other rounds in the
 * same lines.
 */
export function createRoundIndex(records: Records, options: RoundIndexOptions): RoundIndex {
  const { recordOf, idOfLine, lifeOf } = options;
  const indexOf = (player: PlayerId) => `ids/${player}`;
  const lifeField = (player: PlayerId) => {
    const ttl = lifeOf(player);
    return ttl === undefined ? {} : { ttl };
  };

  /** The last line that the index has; undefined if it is of other lines. */
  const lastIndexed = async (player: PlayerId, lines: KnownLines, mark: string | undefined) => {
    const [epoch, number, id = ''] = mark?.split(' ') ?? [];
    const last = Number(number);
    if (epoch !== lines.epoch || last > lines.last) return undefined;
    const found = last === lines.last ? lines.lastId : await idOfLine(player, last);
    return found === id ? last : undefined;
  };

  /** Adds the lines after `indexed`. Resolves to whether all of them are still there. */
  const extend = async (
    player: PlayerId,
    lines: KnownLines,
    indexed: number | undefined,
    version: string,
  ) => {
    const append: Record<string, string> = {};
    for (let at = (indexed ?? lines.first - 1) + 1; at <= lines.last; at += linesPerRead) {
      const end = Math.min(lines.last, at + linesPerRead - 1);
      const texts = await records.lines(recordOf(player), at, end);
      if (texts.length < end - at + 1) return false;
      for (const [offset, text] of texts.entries()) {
        const id = parseRoundLine(text)?.id;
        if (id === undefined) continue;
        const { field, entry } = indexEntry(id, at + offset);
        append[field] = (append[field] ?? '') + entry;
      }
      await nextTurn();
    }
    const clear = indexed === undefined ? ({ clear: true } as const) : {};
    const put = { [markField]: markOf(lines) };
    await records.commit(indexOf(player), { if: version, ...clear, put, append, ...lifeField(player) });
    return true;
  };

  return {
    async find(player, lines, id) {
      const { field, key } = indexEntry(id, 0);
      for (;;) {
        const { version, values = [] } = await records.read(indexOf(player), [markField, field]);
        if (lines.last < lines.first) return { line: undefined, version };
        const indexed = await lastIndexed(player, lines, values[0]);
        if (indexed === lines.last) return { line: lineIn(values[1], key), version };
        if (!(await extend(player, lines, indexed, version))) return { line: undefined, version };
      }
    },
    async add(player, lines, version) {
      const { field, entry } = indexEntry(lines.lastId, lines.last);
      // The first line of a player: what is there is of no use.
      const clear = lines.last === lines.first ? ({ clear: true } as const) : {};
      const put = { [markField]: markOf(lines) };
      const append = { [field]: entry };
      await records.commit(indexOf(player), { if: version, ...clear, put, append, ...lifeField(player) });
      if (version !== '') return;
      // The player may have been forgotten meanwhile.
      if ((await records.read(recordOf(player), [])).version === '') await records.remove(indexOf(player));
    },
    remove: (player) => records.remove(indexOf(player)),
  };
}

function markOf({ epoch, last, lastId }: KnownLines): string {
  return `${epoch} ${last} ${lastId}`;
}

const indexFields = Array.from({ length: 256 }, (_, at) => `id${at.toString(16).padStart(2, '0')}`);

/** Ten characters of the hash of an id (60 bits) and the number of its line, and the field for them. */
function indexEntry(id: string, line: number): { field: string; key: string; entry: string } {
  const hash = createHash('sha256').update(id).digest();
  const key = hash.toString('base64url', 1).slice(0, keyLength);
  const entry = key + line.toString(36).padStart(numberLength, '0');
  return { field: indexFields[hash[0] as number] as string, key, entry };
}

function lineIn(entries: string | undefined, key: string): number | undefined {
  for (let at = 0; at < (entries?.length ?? 0); at += keyLength + numberLength) {
    if (!entries?.startsWith(key, at)) continue;
    return Number.parseInt(entries.slice(at + keyLength, at + keyLength + numberLength), 36);
  }
  return undefined;
}

import { randomBytes } from 'node:crypto';
import { keepAll, type Retention } from '../../round-retention.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { asideOf, type KeyKind, onSoundKeys } from '../connection/damaged-keys.ts';
import { runScript, type Script } from '../connection/script.ts';
import { createMarkPlaces } from './mark-places.ts';

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

/** What belongs at the keys of a player, in the order of the scripts' KEYS. */
const kinds = ['stream', 'fields', 'text', 'number', 'text'] as const satisfies readonly KeyKind[];

/** Bytes of a round in addition to its line. */
const roundBase = 200;
/** Bytes of a line, far more than any round takes. */
const longestLine = 16 * 1024 * 1024;

/** The line of an entry; nil if another program has added it, or if it is too long. */
const lineOf = `
local function lineOf(entry)
  local fields = entry[2]
  if fields[1] ~= 'id' or fields[3] ~= 'line' or #fields[4] > ${longestLine} then return nil end
  return fields[4]
end`;

/** KEYS: entry ids by round id, bytes. ARGV: id and length of each round. */
const sizeScript: Script = {
  name: 'typebadgeSizeOfRounds',
  keys: ['fields', 'number'],
  isReadOnly: true,
  lua: `
local more = 0
for at = 1, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[at]) == 0 then more = more + tonumber(ARGV[at + 1]) + ${roundBase} end
end
return more > 0 and tonumber(redis.call('GET', KEYS[2]) or '0') + more`,
};

/**
 * KEYS: stream, entry ids by round id, epoch, bytes, mark. ARGV: new epoch; the bounds: rounds, bytes, since; life or nothing;
 * the mark that was read, or `*`; then for each round its id, its line, and when it was finished or nothing. Entry ids are times
 * and only ever increase. Imported rounds never shorten the life. If the stream, the entry ids or the bytes are missing, the
 * others are made from the stream again, so that each round is in it exactly once.
 */
const addScript: Script = {
  name: 'typebadgeAddRounds',
  keys: kinds,
  lua: `${lineOf}
local mark = redis.call('GET', KEYS[5])
if mark and ARGV[6] ~= '*' and mark ~= ARGV[6] then return 0 end
local stream, entries, sum = KEYS[1], KEYS[2], KEYS[4]
local most, mostBytes, since, life = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
redis.call('SET', KEYS[3], ARGV[1], 'NX')
local function count()
  local from, bytes = '-', 0
  redis.call('DEL', entries)
  repeat
    local part = redis.call('XRANGE', stream, from, '+', 'COUNT', 8)
    for _, entry in ipairs(part) do
      local line = lineOf(entry)
      if line then
        redis.call('HSET', entries, entry[2][2], entry[1])
        bytes = bytes + #line + ${roundBase}
      end
      from = '(' .. entry[1]
    end
  until #part < 8
  redis.call('SET', sum, bytes)
  redis.call('SET', KEYS[3], ARGV[1])
end
local isEmpty = redis.call('XLEN', stream) == 0
if isEmpty ~= (redis.call('HLEN', entries) == 0) or isEmpty ~= (tonumber(redis.call('GET', sum) or '0') == 0) then count() end
local function append(id, line, finished)
  if finished ~= '' then
    local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
    local after = last and tonumber(string.match(last[1], '%d+')) or 0
    local at = math.min(math.max(tonumber(finished), after), tonumber(redis.call('TIME')[1]) * 1000)
    local entry = redis.pcall('XADD', stream, string.format('%.0f-*', at), 'id', id, 'line', line)
    if type(entry) == 'string' then return entry end
  end
  return redis.call('XADD', stream, '*', 'id', id, 'line', line)
end
for at = 7, #ARGV, 3 do
  if redis.call('HEXISTS', entries, ARGV[at]) == 0 then
    local entry = append(ARGV[at], ARGV[at + 1], ARGV[at + 2])
    redis.call('HSET', entries, ARGV[at], entry)
    redis.call('INCRBY', sum, #ARGV[at + 1] + ${roundBase})
  end
end
local function remove(list)
  for _, entry in ipairs(list) do
    local line = lineOf(entry)
    redis.call('XDEL', stream, entry[1])
    if line then
      redis.call('HDEL', entries, entry[2][2])
      redis.call('DECRBY', sum, #line + ${roundBase})
    end
  end
  if #list > 0 then redis.call('SET', KEYS[3], ARGV[1]) end
end
local excess = redis.call('XLEN', stream) - most
if excess > most / 20 then remove(redis.call('XRANGE', stream, '-', '+', 'COUNT', excess)) end
local first = redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1]
if first and tonumber(string.match(first[1], '%d+')) < since - 86400000 then
  remove(redis.call('XRANGE', stream, '-', string.format('%.0f', since)))
end
local left = mostBytes
while tonumber(redis.call('GET', sum) or '0') > left do
  left = mostBytes * 0.95
  local oldest = redis.call('XRANGE', stream, '-', '+', 'COUNT', 8)
  if #oldest == 0 then break end
  remove(oldest)
end
local isImport = ARGV[9] ~= ''
for at = 1, 4 do
  local key = KEYS[at]
  if life == '' then redis.call('PERSIST', key)
  elseif not isImport or redis.call('PTTL', key) < tonumber(life) then redis.call('PEXPIRE', key, life) end
end
return 1`,
};

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

/** Most bytes of lines in one reply: reading and parsing a reply blocks the server. */
const longestReply = 2 * 1024 * 1024;

/**
 * The beginning of every script that reads. Takes entries in small steps, because a line may have a mebibyte: at most `count`, and
 * no more bytes than a reply may have, but at least one. The second value is 1 if there are more, the third the number of
 * entries left out because they are not ours.
 */
const taking = `${lineOf}
local function take(command, from, to, count)
  local taken, bytes, skipped = {}, 0, 0
  while true do
    local part = redis.call(command, KEYS[1], from, to, 'COUNT', 8)
    for _, entry in ipairs(part) do
      local line = lineOf(entry)
      if line then
        bytes = bytes + #line
        if #taken >= count or (#taken > 0 and bytes > ${longestReply}) then return taken, 1, skipped end
        taken[#taken + 1] = entry
      else
        skipped = skipped + 1
      end
    end
    if #part < 8 then return taken, 0, skipped end
    from = '(' .. part[#part][1]
  end
end`;

/** KEYS: stream, epoch. ARGV: epoch and last id of the reader, count. */
const readScript: Script = {
  name: 'typebadgeReadRounds',
  keys: ['stream', 'text'],
  isReadOnly: true,
  lua: `${taking}
local epoch = redis.call('GET', KEYS[2]) or ''
local from = '-'
if epoch == ARGV[1] and ARGV[2] ~= '' then from = '(' .. ARGV[2] end
return {epoch, take('XRANGE', from, '+', tonumber(ARGV[3]))}`,
};

/** KEYS: stream, entry ids by round id. ARGV: round id or nothing, count. */
const readBackScript: Script = {
  name: 'typebadgeReadRoundsBack',
  keys: ['stream', 'fields'],
  isReadOnly: true,
  lua: `${taking}
local to = '+'
if ARGV[1] ~= '' then
  local entry = redis.call('HGET', KEYS[2], ARGV[1])
  if not entry or not string.match(entry, '^%d+%-%d+$') then return false end
  to = '(' .. entry
end
return {take('XREVRANGE', to, '-', tonumber(ARGV[2]))}`,
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

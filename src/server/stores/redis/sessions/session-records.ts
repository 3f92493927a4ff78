import type { StoreConnection } from '../connection/connection.ts';
import { runScript, type Script } from '../connection/script.ts';
import { isStoreFull } from '../connection/store-problem.ts';

/** A session as the store has it: a header that is replaced as a whole, and inputs that grow at their end. */
export interface SessionRecord {
  /** Another one with each new header. Random, never a counter: after a failover a counter would repeat itself. */
  readonly generation: string;
  readonly header: string;
  readonly inputs: string;
  /** Milliseconds since 1970. */
  readonly lastUsed: number;
}

/** What a server wants to write, and what it believes to be there. */
export interface SessionWrite {
  readonly generation: string;
  /** Bytes of the inputs as the writer knows them. */
  readonly from: number;
  /** Names this write: sent again after its reply was lost, it is not carried out twice. */
  readonly token: string;
  /** Appended to the inputs; or, with a header, all of the inputs. */
  readonly text: string;
  /** Missing: the header stays. */
  readonly header?: string;
}

export type WriteOutcome =
  | { readonly kind: 'written'; readonly generation: string }
  /** The writer did not know these inputs yet; nothing was written. */
  | { readonly kind: 'behind'; readonly tail: string }
  /** Nothing of what the writer believed holds; nothing was written. */
  | { readonly kind: 'changed'; readonly record: SessionRecord }
  | { readonly kind: 'gone' };

/** Sessions as records of the store. Every method rejects while the store is away. */
export interface SessionRecords {
  create(id: string, record: Omit<SessionRecord, 'lastUsed'>): Promise<void>;
  /**
   * Adds one as it was last used, in one step, unless a session with this id is living; tells whether it did. Sent again
   * with its generation, it is added once, and tells the same.
   */
  add(id: string, record: SessionRecord): Promise<boolean>;
  /** Reads and renews; where the store is too full to renew, it only reads. */
  read(id: string): Promise<SessionRecord | undefined>;
  /** Reads without renewing. */
  peek(id: string): Promise<SessionRecord | undefined>;
  /** One step: compares, then writes and renews. */
  write(id: string, write: SessionWrite): Promise<WriteOutcome>;
  /** Tells whether there was one. */
  delete(id: string): Promise<boolean>;
}

/**
 * Begins every script: ARGV[1] is the time to live, ARGV[2] the time, ARGV[3] the store's own expiry; in milliseconds. Without a time, the store's
 * clock counts, since those of the servers may differ.
 */
const prelude = `
local ttl, now, expiry = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function renew()
  redis.call('HSET', KEYS[1], 'u', string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], expiry)
  redis.call('PEXPIRE', KEYS[2], expiry)
end
local function living(...)
  local values = redis.call('HMGET', KEYS[1], 'u', ...)
  if values[1] and tonumber(values[1]) + ttl > now then return values end
  return false
end`;

/** Leftovers of another session with this id would be taken for its own. Further ARGV: generation, header, inputs. */
const createScript: Script = {
  name: 'typebadgeCreateSession',
  keys: 2,
  lua: `${prelude}
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'g', ARGV[4], 'h', ARGV[5])
if ARGV[6] ~= '' then redis.call('SET', KEYS[2], ARGV[6]) end
renew()
return 1`,
};

/** Further ARGV: generation, header, inputs, last use. */
const addScript: Script = {
  name: 'typebadgeAddSession',
  keys: 2,
  lua: `${prelude}
local s = living('g')
if s then return s[2] == ARGV[4] and 1 or 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'g', ARGV[4], 'h', ARGV[5])
if ARGV[6] ~= '' then redis.call('SET', KEYS[2], ARGV[6]) end
renew()
redis.call('HSET', KEYS[1], 'u', ARGV[7])
return 1`,
};

const readScript: Script = {
  name: 'typebadgeReadSession',
  keys: 2,
  lua: `${prelude}
local s = living('g', 'h')
if not s then return false end
renew()
return {s[2], s[3], redis.call('GET', KEYS[2]) or '', string.format('%.0f', now)}`,
};

const peekScript: Script = {
  name: 'typebadgePeekSession',
  keys: 2,
  isReadOnly: true,
  lua: `${prelude}
local s = living('g', 'h')
if not s then return false end
return {s[2], s[3], redis.call('GET', KEYS[2]) or '', s[1]}`,
};

/** Further ARGV: generation, from, token, text, header. */
const writeScript: Script = {
  name: 'typebadgeWriteSession',
  keys: 2,
  lua: `${prelude}
local s = living('g', 't')
if not s then return false end
local generation, from, token, text, header = ARGV[4], tonumber(ARGV[5]), ARGV[6], ARGV[7], ARGV[8]
if s[3] == token then return {1, s[2]} end
local length = redis.call('STRLEN', KEYS[2])
if s[2] == generation and length > from then return {2, redis.call('GETRANGE', KEYS[2], from, -1)} end
if s[2] ~= generation or length ~= from then
  return {3, s[2], redis.call('HGET', KEYS[1], 'h'), redis.call('GET', KEYS[2]) or '', s[1]}
end
if header ~= '' then
  generation = token
  redis.call('HSET', KEYS[1], 'g', token, 'h', header)
  if text == '' then redis.call('DEL', KEYS[2]) else redis.call('SET', KEYS[2], text) end
elseif text ~= '' then
  redis.call('APPEND', KEYS[2], text)
end
redis.call('HSET', KEYS[1], 't', token)
renew()
return {1, generation}`,
};

const deleteScript: Script = {
  name: 'typebadgeDeleteSession',
  keys: 2,
  lua: `${prelude}
local s = living()
redis.call('UNLINK', KEYS[1], KEYS[2])
return s and 1 or 0`,
};

type RecordReply = readonly [generation: string, header: string, inputs: string, used: string];
type WriteReply =
  | null
  | readonly [1, generation: string]
  | readonly [2, tail: string]
  | readonly [3, ...RecordReply];

export interface SessionRecordsOptions {
  readonly prefix: string;
  /** Milliseconds after which an unused session is gone. */
  readonly ttl: number;
  /** Milliseconds since 1970. Default: the store's clock. */
  readonly clock?: (() => number) | undefined;
  /** Milliseconds after which the store itself removes an unused session, by its own clock. Default: the time to live. */
  readonly expiry?: number | undefined;
}

export function createSessionRecords(
  store: StoreConnection,
  { prefix, ttl, clock, expiry = ttl }: SessionRecordsOptions,
): SessionRecords {
  const run = (script: Script, id: string, ...args: readonly string[]) => {
    const key = `${prefix}:session:{${id}}`;
    const time = clock === undefined ? '' : String(clock());
    return runScript(store, script, key, `${key}:inputs`, String(ttl), time, String(expiry), ...args);
  };
  const peek = async (id: string) => toRecord((await run(peekScript, id)) as RecordReply | null);

  return {
    async create(id, { generation, header, inputs }) {
      await run(createScript, id, generation, header, inputs);
    },
    add: async (id, { generation, header, inputs, lastUsed }) =>
      (await run(addScript, id, generation, header, inputs, String(lastUsed))) === 1,
    async read(id) {
      try {
        return toRecord((await run(readScript, id)) as RecordReply | null);
      } catch (error) {
        if (!isStoreFull(error)) throw error;
        return peek(id);
      }
    },
    peek,
    async write(id, { generation, from, token, text, header = '' }) {
      const reply = await run(writeScript, id, generation, String(from), token, text, header);
      return toOutcome(reply as WriteReply);
    },
    delete: async (id) => (await run(deleteScript, id)) === 1,
  };
}

function toOutcome(reply: WriteReply): WriteOutcome {
  if (reply === null) return { kind: 'gone' };
  if (reply[0] === 1) return { kind: 'written', generation: reply[1] };
  if (reply[0] === 2) return { kind: 'behind', tail: reply[1] };
  const [, ...record] = reply;
  return { kind: 'changed', record: toRecord(record) as SessionRecord };
}

function toRecord(reply: RecordReply | null): SessionRecord | undefined {
  if (reply === null) return undefined;
  const [generation, header, inputs, used] = reply;
  return { generation, header, inputs, lastUsed: Number(used) };
}

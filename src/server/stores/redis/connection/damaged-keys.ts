import { StoreUnavailableError } from '../../ports.ts';
import { type BareScript, runBareScript } from './bare-script.ts';
import type { StoreConnection } from './connection.ts';
import { isDenied } from './store-problem.ts';

/** What can belong at a key, with its type in Redis. */
const types = {
  fields: 'hash',
  /** Whole numbers by name. */
  counts: 'hash',
  /** The header of a session with its marks. */
  session: 'hash',
  /** The inputs of a session. */
  inputs: 'string',
  text: 'string',
  /** A whole number. */
  number: 'string',
  set: 'set',
  ranking: 'zset',
  stream: 'stream',
  /** Data that was set aside. It is never checked. */
  anything: '',
} as const;
export type KeyKind = keyof typeof types;

/** One of our keys, and what belongs there. */
export interface KeyOfKind {
  readonly key: string;
  readonly kind: KeyKind;
}

/** Bytes of the header or the inputs of a session, far more than any session takes. */
export const longestSessionPart = 16 * 1024 * 1024;

const hour = 60 * 60 * 1000;
/** Milliseconds until data that was set aside expires; for a session about as long as an unused one lives. */
const lifeAside = 7 * 24 * hour;
export const sessionLifeAside = 24 * hour;
const lifeOf = (kind: KeyKind) => (kind === 'session' || kind === 'inputs' ? sessionLifeAside : lifeAside);

/** The key that damaged data is renamed to. It is in the same slot of a cluster, which the part in braces decides, or the whole key. */
export const asideOf = (key: string) => `${key.includes('{') ? key : `{${key}}`}:damaged`;

/**
 * Checks a key and renames it if it is damaged. The check is made in the store, because the reply that reported an error may
 * itself be wrong. KEYS: key, new key. ARGV: kind, type, most bytes, expiry in milliseconds. Returns what was wrong, or false.
 */
const setAsideScript: BareScript = {
  name: 'typebadgeSetAside',
  lua: `
local key, aside, kind, wanted, longest = KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[3])
local function isWhole(text) return #text <= 15 and string.match(text, '^%-?%d+$') end
local function problemOf(found)
  if found ~= wanted then return 'it is a ' .. found .. ', not a ' .. wanted end
  if kind == 'number' and not isWhole(redis.call('GET', key)) then return 'it is not a whole number' end
  if kind == 'counts' then
    for _, value in ipairs(redis.call('HVALS', key)) do
      if not isWhole(value) then return 'one of its values is not a whole number' end
    end
  end
  if kind == 'session' then
    local used = redis.call('HGET', key, 'u')
    if used and not isWhole(used) then return 'its last use is not a time' end
    if redis.call('HSTRLEN', key, 'h') > longest then return 'it is too long' end
  end
  if kind == 'inputs' and redis.call('STRLEN', key) > longest then return 'it is too long' end
  return false
end
local found = redis.call('TYPE', key).ok
local problem = found ~= 'none' and problemOf(found)
if not problem then return false end
redis.call('UNLINK', aside)
redis.call('RENAME', key, aside)
redis.call('PEXPIRE', aside, ARGV[4])
return problem`,
};

/**
 * Runs commands on our keys. If the store rejects one, another program may have written to the keys: damaged ones are set
 * aside and reported, and the commands run again. On a connection without `onDamage` they run only once.
 */
export async function onSoundKeys<T>(
  store: StoreConnection,
  keys: readonly KeyOfKind[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (store.onDamage === undefined || !isReply(error)) throw error;
    for (const each of keys) if (each.kind !== 'anything') await setAside(store, each);
    return work();
  }
}

async function setAside(store: StoreConnection, { key, kind }: KeyOfKind): Promise<void> {
  const movedTo = asideOf(key);
  const args = [kind, types[kind], String(longestSessionPart), String(lifeOf(kind))];
  try {
    const problem = await runBareScript(store, setAsideScript, 2, [key, movedTo, ...args]);
    if (typeof problem === 'string') store.onDamage?.({ key, problem, movedTo });
  } catch (error) {
    if (!isReply(error) && !isDenied(error)) throw error;
    // For example because this user of the store may not rename keys.
    store.onDamage?.({ key, problem: (error as Error).message, movedTo: undefined });
    throw new StoreUnavailableError(cannotBeSetAside, { cause: error });
  }
}

/** Does not name the key, which may contain the id of a session: `/health/ready` is public. */
export const cannotBeSetAside =
  'The store holds something else where typebadge keeps its data, and it cannot be set aside; the log names the key.';

/** Whether the store rejected a command. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

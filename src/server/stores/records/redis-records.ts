import { createVersions, isRecordId, type Outcome, requireRecordId } from './record-state.ts';
import type { RecordChange, Records } from './records.ts';
import type { Script, StoreConnection } from './store-connection.ts';

/*
 * A record is one hash: `v` is its version, `f` and `l` are the numbers of its first and last line. Fields
 * begin with `.`, lines with `#`. The key itself expires.
 */

/**
 * Any change in one round trip. KEYS: the record. ARGV: the new version, then steps with their operands;
 * conditions come first. Returns `applied`, or the reason of a refusal.
 */
const commitScript: Script = {
  name: 'typebadgeCommit',
  keys: 1,
  lua: `
local key, version, at = KEYS[1], ARGV[1], 2
local function take() at = at + 1 return ARGV[at - 1] end
local held, first, last = unpack(redis.call('HMGET', key, 'v', 'f', 'l'))
held, first, last = held or '', tonumber(first or 1), tonumber(last or 0)
local function number(field)
  local text = redis.call('HGET', key, field) or ''
  -- Lua reads a text up to its first NUL only.
  return not text:find('%z') and tonumber(text) or 0
end
while at <= #ARGV do
  local step = take()
  if step == 'if' then
    if held ~= take() then return 'changed' end
  elseif step == 'max' then
    if number(take()) + take() > tonumber(take()) then return 'full' end
  elseif step == 'put' then redis.call('HSET', key, take(), take())
  elseif step == 'append' then
    local field = take()
    redis.call('HSET', key, field, (redis.call('HGET', key, field) or '') .. take())
  elseif step == 'add' then
    local field = take()
    redis.call('HSET', key, field, string.format('%.0f', number(field) + take()))
  elseif step == 'remove' then redis.call('HDEL', key, take())
  elseif step == 'push' then
    last = last + 1
    redis.call('HSET', key, '#' .. last, take())
  elseif step == 'trim' then
    local limit = math.min(tonumber(take()), last + 1)
    -- Damaged numbers may be any: nothing else may be done until this loop ends.
    local count = math.min(redis.call('HLEN', key), limit - first)
    for number = limit - count, limit - 1 do redis.call('HDEL', key, '#' .. number) end
    first = math.max(first, limit)
  end
  if step == 'ttl' then
    redis.call('HSET', key, 'v', version, 'f', first, 'l', last)
    redis.call('PEXPIRE', key, take())
    return 'applied'
  end
end
redis.call('HSET', key, 'v', version, 'f', first, 'l', last)
return 'applied'`,
};

/** The same for changes that only make room: a full store accepts them, too. */
const freeingScript: Script = {
  ...commitScript,
  name: 'typebadgeFree',
  lua: `#!lua flags=allow-oom${commitScript.lua}`,
};

function onlyFrees({ put, append, push, add = {} }: RecordChange): boolean {
  return !put && !append && !push && Object.values(add).every((number) => number <= 0);
}

/** Values fetched with one command. */
const pageSize = 500;

/** @param prefix separates the data of several services in one store */
export function createRedisRecords(store: StoreConnection, { prefix }: { readonly prefix: string }): Records {
  const nextVersion = createVersions();
  const start = `${prefix}:record:`;
  const keyOf = (id: string) => {
    requireRecordId(id);
    return start + id;
  };
  /** These entries of the hash, with its version and the numbers of its first and last line. */
  const entries = async (id: string, names: readonly string[] = []) => {
    const key = keyOf(id);
    const [version, first, last, ...texts] = await store.run((redis) =>
      redis.hmget(key, 'v', 'f', 'l', ...names),
    );
    const values = texts.map((text) => text ?? undefined);
    return { version: version ?? '', first: Number(first ?? 1), last: Number(last ?? 0), values };
  };

  return {
    async read(id, names = [], known) {
      if (known !== undefined) {
        const found = await entries(id);
        if (found.version === known) return found;
      }
      return entries(
        id,
        names.map((name) => `.${name}`),
      );
    },
    async fields(id) {
      const key = keyOf(id);
      const fields = new Map<string, string>();
      let cursor = '0';
      // In steps, and without the lines: a record may have a hundred thousand.
      do {
        const scanned = await store.run((redis) =>
          redis.hscan(key, cursor, 'MATCH', '.*', 'COUNT', pageSize),
        );
        const [next, pairs] = scanned;
        for (let at = 0; at < pairs.length; at += 2)
          fields.set((pairs[at] as string).slice(1), pairs[at + 1] as string);
        cursor = next;
      } while (cursor !== '0');
      return fields;
    },
    async lines(id, from, to) {
      const [{ first, last }, size] = await Promise.all([
        entries(id),
        store.run((redis) => redis.hlen(keyOf(id))),
      ]);
      // A damaged number of the last line may be any.
      const [start, end] = [Math.max(from, first), Math.min(to, last, first + size)];
      const found: string[] = [];
      for (let at = start; at <= end; at += pageSize) {
        const count = Math.min(pageSize, end - at + 1);
        const names = Array.from({ length: count }, (_, number) => `#${at + number}`);
        const { first: oldest, last: newest, values } = await entries(id, names);
        const isThere = (number: number) => number >= oldest && number <= newest;
        found.push(...values.map((text) => text ?? '').filter((_, number) => isThere(at + number)));
      }
      return found;
    },
    async commit(id, change) {
      const version = nextVersion();
      const script = onlyFrees(change) ? freeingScript : commitScript;
      const outcome = (await store.runScript(script, [keyOf(id), version, ...steps(change)])) as Outcome;
      return outcome === 'applied' ? { version } : { refused: outcome };
    },
    async remove(id) {
      const key = keyOf(id);
      await store.run((redis) => redis.unlink(key));
    },
    async *ids(idPrefix) {
      const pattern = `${(start + idPrefix).replace(/[\\*?[\]]/g, '\\$&')}*`;
      const nodes = await store.run(async (redis) => ('nodes' in redis ? redis.nodes('master') : [redis]));
      for (const node of nodes) {
        let cursor = '0';
        do {
          const [next, keys] = await store.run(() => node.scan(cursor, 'MATCH', pattern, 'COUNT', 500));
          const ids = [...new Set(keys)].map((key) => key.slice(start.length));
          yield* ids.filter(isRecordId);
          cursor = next;
        } while (cursor !== '0');
      }
    },
    close: () => store.close(),
  };
}

/** The steps of a change for the script: conditions first, so that a refused change has no effects. */
function steps(change: RecordChange): string[] {
  const { if: wanted, max, put = {}, append = {}, add = {}, remove = [], push = [] } = change;
  const args: string[] = [];
  if (wanted !== undefined) args.push('if', wanted);
  for (const name in max) args.push('max', `.${name}`, String(add[name] ?? 0), String(max[name]));
  for (const name in put) args.push('put', `.${name}`, put[name] as string);
  for (const name in append) args.push('append', `.${name}`, append[name] as string);
  for (const name in add) args.push('add', `.${name}`, String(add[name]));
  for (const name of remove) args.push('remove', `.${name}`);
  for (const text of push) args.push('push', text);
  if (change.trim !== undefined) args.push('trim', String(change.trim));
  if (change.ttl !== undefined) args.push('ttl', String(Math.max(0, Math.round(change.ttl))));
  return args;
}

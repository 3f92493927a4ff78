import type { Script } from '../connection/script.ts';

/*
 * Scripts on a list. KEYS: the entries by last use, and a hash with the bytes of each, whose field `total` is their sum.
 * Both change atomically, so the sum is always right.
 */

/** If ARGV[1] is not a time, the clock of the store counts, because those of the servers may differ and jump. */
const clock = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function before(unused) return string.format('%.0f', now - tonumber(unused)) end`;

/** In portions, because Lua limits the number of arguments. */
const dropping = `
local list, sizes = KEYS[1], KEYS[2]
local function drop(members)
  if #members == 0 then return end
  local sum = 0
  for _, size in ipairs(redis.call('HMGET', sizes, unpack(members))) do sum = sum + tonumber(size or '0') end
  redis.call('ZREM', list, unpack(members))
  redis.call('HDEL', sizes, unpack(members))
  if sum > 0 then redis.call('HINCRBY', sizes, 'total', -sum) end
end`;

/**
 * ARGV: time of use or nothing, entry, bytes, expiry of the list; then the limits of the list: milliseconds without use or
 * nothing, entries, bytes.
 */
export const noteScript: Script = {
  name: 'typebadgeNoteInList',
  keys: ['ranking', 'counts'],
  lua: `${clock}${dropping}
local member, bytes, expiry = ARGV[2], tonumber(ARGV[3]), ARGV[4]
-- Sizes of a list that was lost or set aside would otherwise count forever.
if redis.call('EXISTS', list) == 0 then redis.call('DEL', sizes) end
local gone
repeat
  gone = ARGV[5] == '' and {} or redis.call('ZRANGEBYSCORE', list, '-inf', before(ARGV[5]), 'LIMIT', 0, 1000)
  drop(gone)
until #gone < 1000
if not redis.call('ZSCORE', list, member) and redis.call('ZCARD', list) >= tonumber(ARGV[6]) then return 0 end
local more = bytes - tonumber(redis.call('HGET', sizes, member) or '0')
if more > 0 then
  if tonumber(redis.call('HGET', sizes, 'total') or '0') + more > tonumber(ARGV[7]) then return 0 end
  redis.call('HSET', sizes, member, bytes)
  redis.call('HINCRBY', sizes, 'total', more)
end
redis.call('ZADD', list, 'GT', before(0), member)
redis.call('PEXPIRE', list, expiry)
redis.call('PEXPIRE', sizes, expiry)
return 1`,
};

/** Returns whether the entry is in the list. ARGV: time of use or nothing, entry, expiry of the list. */
export const renewScript: Script = {
  name: 'typebadgeRenewInList',
  keys: ['ranking', 'counts'],
  lua: `${clock}
if not redis.call('ZSCORE', KEYS[1], ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], 'XX', 'GT', before(0), ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1`,
};

/** ARGV: entries. */
export const removeScript: Script = {
  name: 'typebadgeRemoveFromList',
  keys: ['ranking', 'counts'],
  lua: `${dropping}
drop(ARGV)
return 1`,
};

/** KEYS: the entries. ARGV: the time or nothing, milliseconds without use. */
export const unusedScript: Script = {
  name: 'typebadgeUnusedInList',
  keys: ['ranking'],
  isReadOnly: true,
  lua: `${clock}
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', before(ARGV[2]))`,
};

/** KEYS: the entries. ARGV: the time or nothing, milliseconds without use. */
export const countScript: Script = {
  name: 'typebadgeCountInList',
  keys: ['ranking'],
  isReadOnly: true,
  lua: `${clock}
return redis.call('ZCOUNT', KEYS[1], '(' .. before(ARGV[2]), '+inf')`,
};

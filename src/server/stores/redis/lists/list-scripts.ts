import type { Script } from '../connection/script.ts';

/*
 * Scripts on a list. KEYS: the entries by their last use, and the bytes of each in a hash, whose field `total`
 * is their sum. Both change in one step, so the sum never drifts from what is summed up.
 */

/** Some at a time: Lua takes only so many arguments at once. */
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

/** ARGV: entry, time of its use, bytes, expiry of the list; then what the list may hold: used since, entries, bytes. */
export const noteScript: Script = {
  name: 'typebadgeNoteInList',
  keys: 2,
  lua: `${dropping}
local member, used, bytes, expiry = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
repeat
  local gone = redis.call('ZRANGEBYSCORE', list, '-inf', ARGV[5], 'LIMIT', 0, 1000)
  drop(gone)
until #gone < 1000
if not redis.call('ZSCORE', list, member) and redis.call('ZCARD', list) >= tonumber(ARGV[6]) then return 0 end
local more = bytes - tonumber(redis.call('HGET', sizes, member) or '0')
if more > 0 then
  if tonumber(redis.call('HGET', sizes, 'total') or '0') + more > tonumber(ARGV[7]) then return 0 end
  redis.call('HSET', sizes, member, bytes)
  redis.call('HINCRBY', sizes, 'total', more)
end
redis.call('ZADD', list, 'GT', used, member)
redis.call('PEXPIRE', list, expiry)
redis.call('PEXPIRE', sizes, expiry)
return 1`,
};

/** ARGV: entry, time of its use, expiry of the list. */
export const renewScript: Script = {
  name: 'typebadgeRenewInList',
  keys: 2,
  lua: `
redis.call('ZADD', KEYS[1], 'XX', 'GT', ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1`,
};

/** ARGV: entries. */
export const removeScript: Script = {
  name: 'typebadgeRemoveFromList',
  keys: 2,
  lua: `${dropping}
drop(ARGV)
return 1`,
};

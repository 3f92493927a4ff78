import { longestSessionPart } from '../connection/damaged-keys.ts';
import type { Script } from '../connection/script.ts';

/*
 * Scripts on one session. KEYS: a hash with its header and metadata (`g` generation, `h` header, `u` last use, `t` token of the
 * last write), and a string with its inputs.
 */

/**
 * The beginning of every script. ARGV[1] is the time to live, ARGV[2] the time, ARGV[3] the store's own expiry, all in milliseconds. Without
 * a time, the clock of the store counts, because those of the servers may differ. `expectSound` fails if header or inputs are
 * longer than those of any session.
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
end
local function expectSound()
  if redis.call('HSTRLEN', KEYS[1], 'h') > ${longestSessionPart} or redis.call('STRLEN', KEYS[2]) > ${longestSessionPart} then
    error('too long')
  end
end`;

/** Removes leftovers of another session with this id first. Further ARGV: generation, header, inputs. */
export const createScript: Script = {
  name: 'typebadgeCreateSession',
  keys: ['session', 'inputs'],
  lua: `${prelude}
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'g', ARGV[4], 'h', ARGV[5])
if ARGV[6] ~= '' then redis.call('SET', KEYS[2], ARGV[6]) end
renew()
return 1`,
};

/** Further ARGV: generation, header, inputs, last use. */
export const addScript: Script = {
  name: 'typebadgeAddSession',
  keys: ['session', 'inputs'],
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

/**
 * What a reader with a copy does not know. Further ARGV: the generation of its copy, and the bytes of the copy's header and
 * inputs; the generation is empty if it has none.
 */
const answerNews = `
local function answerNews(s, used)
  local generation, header, from = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
  if generation ~= '' and s[2] == generation and redis.call('HSTRLEN', KEYS[1], 'h') == header then
    local length = redis.call('STRLEN', KEYS[2])
    if length == from then return {1} end
    if length > from then return {2, redis.call('GETRANGE', KEYS[2], from, -1)} end
  end
  return {3, s[2], redis.call('HGET', KEYS[1], 'h'), redis.call('GET', KEYS[2]) or '', used}
end`;

export const readScript: Script = {
  name: 'typebadgeReadSession',
  keys: ['session', 'inputs'],
  lua: `${prelude}${answerNews}
expectSound()
local s = living('g')
if not s then return false end
renew()
return answerNews(s, string.format('%.0f', now))`,
};

export const peekScript: Script = {
  name: 'typebadgePeekSession',
  keys: ['session', 'inputs'],
  isReadOnly: true,
  lua: `${prelude}${answerNews}
expectSound()
local s = living('g')
if not s then return false end
return answerNews(s, s[1])`,
};

export const lastUseScript: Script = {
  name: 'typebadgeLastUseOfSession',
  keys: ['session', 'inputs'],
  isReadOnly: true,
  lua: `${prelude}
local s = living()
return s and s[1]`,
};

/** Further ARGV: generation, from, token, text, header. */
export const writeScript: Script = {
  name: 'typebadgeWriteSession',
  keys: ['session', 'inputs'],
  lua: `${prelude}
local s = living('g', 't')
if not s then return false end
local generation, from, token, text, header = ARGV[4], tonumber(ARGV[5]), ARGV[6], ARGV[7], ARGV[8]
if s[3] == token then return {1, s[2]} end
local length = redis.call('STRLEN', KEYS[2])
if s[2] ~= generation or length ~= from then expectSound() end
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

/** KEYS also has the two keys of what was set aside. */
export const deleteScript: Script = {
  name: 'typebadgeDeleteSession',
  keys: ['session', 'inputs', 'anything', 'anything'],
  lua: `${prelude}
local s = living()
redis.call('UNLINK', unpack(KEYS))
return s and 1 or 0`,
};

/**
 * Sets aside a session that cannot be parsed, unless it was replaced meanwhile. KEYS also has the two keys that it is renamed
 * to. ARGV: generation, expiry in milliseconds.
 */
export const setAsideScript: Script = {
  name: 'typebadgeSetSessionAside',
  keys: ['session', 'inputs', 'anything', 'anything'],
  lua: `
if redis.call('EXISTS', KEYS[1]) == 0 or (redis.call('HGET', KEYS[1], 'g') or '') ~= ARGV[1] then return 0 end
for at = 1, 2 do
  if redis.call('EXISTS', KEYS[at]) == 1 then
    redis.call('UNLINK', KEYS[at + 2])
    redis.call('RENAME', KEYS[at], KEYS[at + 2])
    redis.call('PEXPIRE', KEYS[at + 2], ARGV[2])
  end
end
return 1`,
};

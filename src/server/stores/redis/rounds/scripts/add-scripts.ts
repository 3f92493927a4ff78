import type { KeyKind } from '../../connection/damaged-keys.ts';
import type { Script } from '../../connection/script.ts';
import { lineOf, roundBase } from './entry-lines.ts';

/** What belongs at the keys of a player, in the order of the scripts' KEYS. */
export const kinds = ['stream', 'fields', 'text', 'number', 'text'] as const satisfies readonly KeyKind[];

/** KEYS: entry ids by round id, bytes. ARGV: id and length of each round. */
export const sizeScript: Script = {
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
export const addScript: Script = {
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

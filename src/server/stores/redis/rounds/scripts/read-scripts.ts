import type { Script } from '../../connection/script.ts';
import { lineOf } from './entry-lines.ts';

/** Most bytes of lines in one reply: reading and parsing a reply blocks the server. */
const longestReply = 512 * 1024;

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
export const readScript: Script = {
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
export const readBackScript: Script = {
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

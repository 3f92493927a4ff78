/** Bytes of a round in addition to its line. */
export const roundBase = 200;
/** Bytes of a line, far more than any round takes. */
const longestLine = 16 * 1024 * 1024;

/** The line of an entry; nil if another program has added it, or if it is too long. */
export const lineOf = `
local function lineOf(entry)
  local fields = entry[2]
  if fields[1] ~= 'id' or fields[3] ~= 'line' or #fields[4] > ${longestLine} then return nil end
  return fields[4]
end`;

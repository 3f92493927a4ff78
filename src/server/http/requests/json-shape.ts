import { randomInt } from 'node:crypto';

/**
 * No request of ours has ten levels. With thousands, JSON.parse takes a hundred times as long, and code that walks a value
 * recursively, such as JSON.stringify, overflows the stack.
 */
const deepestNesting = 32;

/**
 * Objects and arrays of a body: more than a whole round of the most keys has. JSON.parse takes five times as long for a MiB of
 * empty ones as for a MiB of keys.
 */
const mostContainers = 32_768;

/**
 * Beginnings of lists of names: `{"a":1,"b":2}` has two. JSON.parse describes a shape of objects for each new one, which takes
 * it ten times as long as to read the names. A request of ours has fewer than a hundred.
 */
const mostShapes = 512;

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Random in each process, so that nobody can search for names with the same hash. Odd, so that multiplying loses nothing. */
const factor = 2 * randomInt(2 ** 29, 2 ** 30) + 1;
const seed = randomInt(2 ** 31);

/** Which hashes of shapes the check of a body has seen. All checks share it, because a check is synchronous. */
const seen = new Uint8Array(8192);
/** For each level, the hash of the names of its object so far. */
const shapes = new Int32Array(deepestNesting + 1);

/**
 * What there is too much of in these bytes to parse them as JSON; undefined if they may be parsed. Reads brackets and names without recursion; two shapes
 * that share a hash count once.
 */
export function findJsonExcess(bytes: Buffer): string | undefined {
  seen.fill(0);
  let containers = 0;
  let shapeCount = 0;
  let depth = 0;
  /** Where the last text starts and ends, without its quotes. */
  let start = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      start = at + 1;
      end = findEnd(bytes, start);
      at = end;
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      containers += 1;
      if (depth > deepestNesting) return `more than ${deepestNesting} nested brackets`;
      if (containers > mostContainers) return `more than ${mostContainers} objects and arrays`;
      shapes[depth] = seed;
    } else if (byte === closeBracket || byte === closeBrace) {
      if (depth > 0) depth -= 1;
    } else if (byte === colon) {
      const shape = toHash(bytes, start, end, shapes[depth] as number);
      shapes[depth] = shape;
      const slot = shape >>> 19;
      shapeCount += 1 - (seen[slot] as number);
      seen[slot] = 1;
      if (shapeCount > mostShapes) return `objects of more than ${mostShapes} shapes`;
    }
  }
  return undefined;
}

/** Where the text that starts here ends: at its closing quote, or with the bytes. */
function findEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** The upper bits are the best mixed ones. */
function toHash(bytes: Buffer, start: number, end: number, from: number): number {
  let hash = Math.imul(from ^ quote, factor);
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), factor);
  return hash;
}

/**
 * No request of ours has ten levels. With thousands, JSON.parse takes a hundred times as long, and code that walks a value
 * recursively, such as JSON.stringify, overflows the stack.
 */
const deepestNesting = 32;

/**
 * No request of ours has forty different names. For each new name, and each new order of names, JSON.parse creates a shape of
 * objects: a MiB of them takes twenty times as long as a MiB of keys.
 */
const mostNames = 128;

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** The hashes of names found in a body. Reused for all bodies, because checking one is synchronous. */
const seen = new Uint8Array(1024);

/**
 * What these bytes have too much of to be parsed as JSON, or undefined. Scans brackets and names without recursion; two names
 * with the same hash count once.
 */
export function findJsonExcess(bytes: Buffer): string | undefined {
  seen.fill(0);
  let names = 0;
  let depth = 0;
  /** Where the last string starts and ends, including quotes. */
  let start = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      start = at;
      end = findEnd(bytes, at);
      at = end;
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth > deepestNesting) return `more than ${deepestNesting} nested brackets`;
    } else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1;
    } else if (byte === colon) {
      const slot = toHash(bytes, start, end) & 1023;
      names += 1 - (seen[slot] as number);
      seen[slot] = 1;
      if (names > mostNames) return `more than ${mostNames} different names`;
    }
  }
  return undefined;
}

/** End of the string that starts here: at its closing quote, or at the end of the bytes. */
function findEnd(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function toHash(bytes: Buffer, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  return hash ^ (hash >>> 10) ^ (hash >>> 20);
}

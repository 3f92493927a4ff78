import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

export const headerSize = 512;
const partSize = 128 * 1024;
/** Bytes compared at the beginning of the journal, and at the end of its folded part. */
const comparedSize = 64 * 1024;
/** The first line of a snapshot. */
export interface Header {
  /** How far the journal was folded, in bytes: the end of a line. */
  readonly end: number;
  /** Checksum of the other fields and the rest of the file; identifies the snapshot. */
  readonly sum: string;
  /** Null stands for Infinity. */
  readonly oldest: number | null;
  readonly records: number;
  /** Checksum of the journal, see `checkOf`. */
  readonly check: string;
}

export async function* toFile(
  header: Header,
  records: AsyncIterable<Buffer>,
  text: Buffer,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(header).padEnd(headerSize - 1)}\n`);
  yield* records;
  yield text;
}

export async function readHeader(handle: FileHandle): Promise<Header | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerSize), 0, headerSize, 0);
  if (bytesRead < headerSize) return undefined;
  try {
    return JSON.parse(buffer.toString()) as Header;
  } catch {
    return undefined;
  }
}

export function toHash({ end, oldest, records, check }: Omit<Header, 'sum'>): Hash {
  return createHash('sha256').update(JSON.stringify([end, oldest, records, check]));
}

/** Checksum of the first and last bytes of the folded part: enough, because a journal is only ever appended to or replaced. */
export async function checkOf(journal: FileHandle, end: number): Promise<string> {
  const size = Math.min(comparedSize, end);
  const hash = createHash('sha256');
  for (const from of [0, end - size]) {
    const { buffer, bytesRead } = await journal.read(Buffer.alloc(size), 0, size, from);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest('hex');
}

export async function readRest(handle: FileHandle, from: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(partSize), 0, partSize, at);
    if (bytesRead === 0) return Buffer.concat(parts);
    parts.push(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

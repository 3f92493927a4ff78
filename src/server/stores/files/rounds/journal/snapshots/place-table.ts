import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/*
 * The offsets of a journal's rounds, on disk: a table sorted by the hash of the round's id, so that a round is found with one
 * read, however many there are, and needs no memory.
 */

/** Bytes of the hash, and of the offset after it. Ten bytes: even among millions of rounds a collision is improbable. */
const keySize = 10;
const placeSize = 6;
export const recordSize = keySize + placeSize;
const recordsPerPart = 4096;

/** A table in a file. */
export interface PlaceTable {
  /** Offset of its beginning in the file. */
  readonly start: number;
  readonly records: number;
}

export const emptyTable: PlaceTable = { start: 0, records: 0 };

/** The records of these rounds, sorted. */
export function toRecords(places: ReadonlyMap<string, number>): Buffer[] {
  return Array.from(places, ([id, at]) => toRecord(id, at)).sort(Buffer.compare);
}

function toRecord(id: string, at: number): Buffer {
  const record = Buffer.allocUnsafe(recordSize);
  toKey(id).copy(record);
  record.writeUIntBE(at, keySize, placeSize);
  return record;
}

function toKey(id: string): Buffer {
  return createHash('sha256').update(id).digest().subarray(0, keySize);
}

/**
 * A table in parts, each valid only until the next one is requested: they share a buffer, because the buffers of a million rounds
 * would stay resident long after they are needed.
 */
export async function* readParts(handle: FileHandle, { start, records }: PlaceTable): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(recordsPerPart, records) * recordSize);
  for (let at = 0; at < records; at += recordsPerPart)
    yield readRecords(handle, start, at, Math.min(recordsPerPart, records - at), buffer);
}

/** Merges a table with more sorted records into one table, in parts. */
export async function* mergeRecords(
  handle: FileHandle | undefined,
  { start, records }: PlaceTable,
  more: readonly Buffer[],
): AsyncGenerator<Buffer> {
  let next = 0;
  for (let at = 0; at < records; at += recordsPerPart) {
    const count = Math.min(recordsPerPart, records - at);
    const part = await readRecords(handle as FileHandle, start, at, count);
    const merged: Buffer[] = [];
    let from = 0;
    for (; next < more.length; next++) {
      const record = more[next] as Buffer;
      const place = lowerBound(part, record.subarray(0, keySize));
      // After this part: it belongs to a later one.
      if (place === count) break;
      merged.push(part.subarray(from * recordSize, place * recordSize), record);
      from = place;
    }
    merged.push(part.subarray(from * recordSize));
    yield merged.length === 1 ? part : Buffer.concat(merged);
  }
  yield Buffer.concat(more.slice(next));
}

/** The offset of a round, or undefined if it is not in the table. */
export async function findPlace(
  handle: FileHandle,
  { start, records }: PlaceTable,
  id: string,
): Promise<number | undefined> {
  const key = toKey(id);
  // Hashes are distributed evenly, so the position in the table is known within a few times the square root of its length.
  const guess = (key.readUIntBE(0, 6) / 2 ** 48) * records;
  for (let reach = 64 + 2 * Math.sqrt(records); ; reach *= 4) {
    const first = Math.max(0, Math.floor(guess - reach));
    const last = Math.min(records, Math.ceil(guess + reach));
    const part = await readRecords(handle, start, first, last - first);
    const at = lowerBound(part, key);
    const isInside = (at > 0 || first === 0) && (at < last - first || last === records);
    if (isInside) return placeAt(part, at, key);
  }
}

/** Index of the first record whose key is not less than `key`. */
function lowerBound(part: Buffer, key: Buffer): number {
  let low = 0;
  let high = part.length / recordSize;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(keyAt(part, middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placeAt(part: Buffer, index: number, key: Buffer): number | undefined {
  if (index * recordSize >= part.length || !keyAt(part, index).equals(key)) return undefined;
  return part.readUIntBE(index * recordSize + keySize, placeSize);
}

function keyAt(part: Buffer, index: number): Buffer {
  return part.subarray(index * recordSize, index * recordSize + keySize);
}

async function readRecords(
  handle: FileHandle,
  start: number,
  first: number,
  count: number,
  into?: Buffer,
): Promise<Buffer> {
  const size = count * recordSize;
  const buffer = into?.subarray(0, size) ?? Buffer.allocUnsafe(size);
  if (size === 0) return buffer;
  const { bytesRead } = await handle.read(buffer, 0, size, start + first * recordSize);
  if (bytesRead < size) throw new Error('the table of rounds is cut short');
  return buffer;
}

/*
 * A text that only grows, in several fields of a record (`<name>0`, `<name>1`, …), so that neither adding to it nor reading what
 * was added costs more when it is long.
 */

/** UTF-16 units after which a field is not added to any more. */
const chunkLength = 4096;
/** Fields that one read asks for. */
const chunksPerRead = 8;

/** The end of such a text: the last field, and the position in the whole text at which it begins. */
export interface ChunkEnd {
  readonly chunk: number;
  readonly start: number;
  /** UTF-16 units of the whole text. */
  readonly length: number;
}

export const noChunks: ChunkEnd = { chunk: 0, start: 0, length: 0 };

/** The field that takes an addition, and the end after it. */
export function addChunk(name: string, end: ChunkEnd, added: string): { field: string; end: ChunkEnd } {
  const isFull = end.length - end.start >= chunkLength;
  const chunk = isFull ? end.chunk + 1 : end.chunk;
  const start = isFull ? end.length : end.start;
  return { field: name + chunk, end: { chunk, start, length: end.length + added.length } };
}

/** All fields of the text. */
export function chunkNames(name: string, { chunk, length }: ChunkEnd): string[] {
  return length === 0 ? [] : Array.from({ length: chunk + 1 }, (_, at) => name + at);
}

/** The fields to read for what comes after `end`; continue with the end of `appendChunks` if all of them exist. */
export function chunksToRead(name: string, { chunk }: ChunkEnd): string[] {
  return Array.from({ length: chunksPerRead }, (_, at) => name + (chunk + at));
}

/** What these values of `chunksToRead` add after `end`. */
export function readChunks(
  end: ChunkEnd,
  values: readonly (string | undefined)[],
): { added: string; end: ChunkEnd; isAll: boolean } {
  const present = values.filter((value) => value !== undefined);
  if (present.length === 0) return { added: '', end, isAll: true };
  const text = present.join('');
  const length = end.start + text.length;
  const last = present.at(-1) as string;
  return {
    added: text.slice(end.length - end.start),
    end: { chunk: end.chunk + present.length - 1, start: length - last.length, length },
    isAll: present.length < values.length,
  };
}

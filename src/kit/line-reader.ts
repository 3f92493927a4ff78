import type { FileHandle } from 'node:fs/promises';

/** Small, because what is done with its lines holds everything else up. */
const chunkSize = 128 * 1024;
const longestLine = 8 * 1024 * 1024;
const newline = 0x0a;

export interface LinesRead {
  /** Where the next reading should begin: behind the last complete line. */
  readonly offset: number;
  /** What comes after it: a line that is being written, or was torn. */
  readonly tail: Buffer;
}

/**
 * Calls `onLine` with every complete line of a file from `offset` on, as bytes without the line break, and with its place in
 * the file. The bytes are lent for the call: the memory they are in is used again, so it does not grow with the file. A line
 * of more than 8 MiB, which nobody writes, comes in pieces.
 *
 * @param afterChunk awaited after each part of 128 KiB, for callers that do something slow with the lines
 */
export async function readLines(
  handle: FileHandle,
  offset: number,
  onLine: (line: Buffer, at: number) => void,
  afterChunk?: () => Promise<void>,
): Promise<LinesRead> {
  let buffer: Buffer = Buffer.allocUnsafe(chunkSize);
  let position = offset;
  /** Bytes of a line that is not complete yet, at the beginning of the buffer. */
  let held = 0;
  while (true) {
    if (buffer.length - held < chunkSize) buffer = enlarge(buffer);
    const { bytesRead } = await handle.read(buffer, held, chunkSize, position + held);
    if (bytesRead === 0) return { offset: position, tail: Buffer.from(buffer.subarray(0, held)) };
    const bytes = buffer.subarray(0, held + bytesRead);
    const used = callWithLines(bytes, held, (line, at) => onLine(line, position + at));
    position += used;
    held = bytes.length - used;
    buffer.copyWithin(0, used, bytes.length);
    await afterChunk?.();
  }
}

/** Returns how many bytes were lines. `from`: where the first line break may be. */
function callWithLines(bytes: Buffer, from: number, onLine: (line: Buffer, at: number) => void): number {
  let start = 0;
  for (let end = bytes.indexOf(newline, from); end >= 0; end = bytes.indexOf(newline, start)) {
    onLine(bytes.subarray(start, end), start);
    start = end + 1;
  }
  if (bytes.length - start <= longestLine) return start;
  onLine(bytes.subarray(start), start);
  return bytes.length;
}

function enlarge(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(2 * buffer.length);
  buffer.copy(larger);
  return larger;
}

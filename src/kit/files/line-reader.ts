import type { FileHandle } from 'node:fs/promises';

/** Small, because handling its lines blocks the event loop. */
const chunkSize = 128 * 1024;
/** Bytes of a line; a longer one, which none of our files has, comes in pieces. */
export const longestLine = 8 * 1024 * 1024;
export const newline = 0x0a;

export interface LinesRead {
  /** Where to go on reading: just after the last complete line. */
  readonly offset: number;
  /** The bytes after that: a line that is still being written, or was cut off by a crash. */
  readonly tail: Buffer;
}

/**
 * Calls `onLine` with every complete line of a file from `offset` on, as bytes without the line break, and with its offset. The
 * bytes are valid only during the call: the buffer is reused, so that memory does not grow with the file. A line of more than
 * 8 MiB, which none of our files has, comes in pieces.
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
  /** Bytes of an incomplete line at the beginning of the buffer. */
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

/** Returns how many bytes were consumed. `from`: before this offset there is no line break. */
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

import type { FileHandle } from 'node:fs/promises';

const chunkSize = 1024 * 1024;
const longestLine = 8 * chunkSize;
const newline = 0x0a;

export interface LinesRead {
  /** Where the next reading should begin: behind the last complete line. */
  readonly offset: number;
  /** What stands behind it: a line that is being written, or was torn. */
  readonly tail: Buffer;
}

/**
 * Tells every complete line of a file from `offset` on, as bytes without the line break. Memory does not grow with the
 * file: a line of more than 8 MiB, which nobody writes, is told in pieces.
 */
export async function readLines(
  handle: FileHandle,
  offset: number,
  onLine: (line: Buffer) => void,
): Promise<LinesRead> {
  let position = offset;
  let tail = Buffer.alloc(0);
  while (true) {
    const chunk = Buffer.allocUnsafe(chunkSize);
    const { bytesRead } = await handle.read(chunk, 0, chunkSize, position + tail.length);
    if (bytesRead === 0) return { offset: position, tail };
    const bytes = Buffer.concat([tail, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      onLine(bytes.subarray(start, end));
      start = end + 1;
    }
    if (bytes.length - start > longestLine) {
      onLine(bytes.subarray(start));
      start = bytes.length;
    }
    position += start;
    tail = bytes.subarray(start);
  }
}

import type { FileHandle } from 'node:fs/promises';
import { longestLine, newline } from './line-reader.ts';

const chunkSize = 64 * 1024;

export interface PlacedLine {
  /** Without the line break. */
  readonly line: Buffer;
  /** Offset of its first byte in the file. */
  readonly at: number;
}

/**
 * The lines of a file before the offset `end`, last one first, without empty ones. Reads only as much of the file as the
 * caller consumes. A line of more than 8 MiB, which none of our files has, comes in pieces.
 */
export async function* readLinesBackward(handle: FileHandle, end: number): AsyncGenerator<PlacedLine> {
  let position = end;
  /** The end of a line whose beginning has not been read yet. */
  let held = Buffer.alloc(0);
  while (position > 0) {
    const size = Math.min(chunkSize, position);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, position - size);
    // The file was truncated in the meantime.
    if (bytesRead < size) return;
    position -= size;
    const bytes = Buffer.concat([buffer, held]);
    const starts = startsIn(buffer);
    let stop = bytes.length;
    for (const start of starts) {
      if (start < stop) yield { line: bytes.subarray(start, stop), at: position + start };
      stop = start - 1;
    }
    held = bytes.subarray(0, stop);
    if (held.length > longestLine) {
      yield { line: held, at: position };
      held = Buffer.alloc(0);
    }
  }
  if (held.length > 0) yield { line: held, at: 0 };
}

/** Offsets just after the line breaks of a chunk, last one first. */
function startsIn(chunk: Buffer): number[] {
  const starts: number[] = [];
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) starts.push(at + 1);
  return starts.reverse();
}

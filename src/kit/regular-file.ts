import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { toFileProblem } from './file-problem.ts';

/**
 * Reads a file that somebody else may have put in place. Rejects with a reason, a part of a sentence, where there is none,
 * where it is a pipe or a device, which could keep a reader waiting or never end, and where it holds more than `limit` bytes.
 */
export async function readRegularFile(path: string, limit: number): Promise<Buffer> {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  // Opening a pipe would wait for somebody to write.
  const file = await open(path, O_RDONLY | O_NONBLOCK).catch(throwReadable);
  try {
    const problem = distrust(await file.stat(), limit);
    if (problem !== undefined) throw new Error(problem);
    return await readBounded(file, limit);
  } finally {
    await file.close();
  }
}

/** The code of the system stays, for a caller that expects a file to be missing. */
function throwReadable(error: NodeJS.ErrnoException): never {
  throw Object.assign(new Error(toFileProblem(error), { cause: error }), { code: error.code });
}

function distrust(stats: Stats, limit: number): string | undefined {
  if (stats.isDirectory()) return 'it is a folder';
  if (!stats.isFile()) return 'it is not a file with contents of its own, but a pipe or a device';
  return stats.size > limit ? toLargeText(limit) : undefined;
}

/** What a file says of its size may be wrong a moment later, and is in /proc. */
async function readBounded(file: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = file.createReadStream({
    autoClose: false,
    start: 0,
    end: limit,
    highWaterMark: 1024 * 1024,
  });
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
  }
  if (size > limit) throw new Error(toLargeText(limit));
  return Buffer.concat(chunks);
}

function toLargeText(limit: number): string {
  const mebibyte = 1024 * 1024;
  const most = limit < mebibyte ? `${limit} bytes` : `${Math.floor(limit / mebibyte)} MiB`;
  return `it is larger than ${most}, the most that is read`;
}

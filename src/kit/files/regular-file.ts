import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileProblem } from './file-problem.ts';

/**
 * Reads a file that somebody else may have put there. Rejects with a reason, as part of a sentence, if there
 * is no such file, if it is a pipe or a device, which could keep a reader waiting or never end, or if it
 * holds more than `limit` bytes.
 */
export async function readRegularFile(path: string, limit: number): Promise<Buffer> {
  const file = await openRegularFile(path).catch(throwReadable);
  try {
    if ((await file.stat()).size > limit) throw new Error(tooLargeReason(limit));
    return await readBounded(file, limit);
  } finally {
    await file.close();
  }
}

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/**
 * Opens a file of any size, for reading or with other flags of open(2). Rejects with the error of the system
 * if that fails, and with a reason, as part of a sentence, if it is a folder, a pipe or a device.
 */
export async function openRegularFile(path: string, flags = O_RDONLY): Promise<FileHandle> {
  // Opening a pipe would wait for somebody at its other end.
  const file = await open(path, flags | O_NONBLOCK);
  const problem = irregularity(await file.stat());
  if (problem === undefined) return file;
  await file.close();
  throw new Error(problem);
}

/** Keeps the system's error code, for callers that expect a file to be missing. */
function throwReadable(error: NodeJS.ErrnoException): never {
  if (error.code === undefined) throw error;
  throw Object.assign(new Error(fileProblem(error), { cause: error }), { code: error.code });
}

function irregularity(stats: Stats): string | undefined {
  if (stats.isDirectory()) return 'it is a folder';
  return stats.isFile() ? undefined : 'it is a pipe or a device, not a regular file';
}

/** Does not trust the size that a file reports: it may change a moment later, and is wrong in /proc. */
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
  if (size > limit) throw new Error(tooLargeReason(limit));
  return Buffer.concat(chunks);
}

function tooLargeReason(limit: number): string {
  const mebibyte = 1024 * 1024;
  const max = limit < mebibyte ? `${limit} bytes` : `${Math.floor(limit / mebibyte)} MiB`;
  return `it is larger than ${max}, the maximum`;
}

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileProblem } from './file-problem.ts';

/**
 * Reads a file that somebody else may have put there. Rejects with a reason, as part of a sentence and with
 * the system's error code, if the file is missing, is a pipe or a device (which may block or never end), or
 * has more than `limit` bytes.
 */
export async function readRegularFile(path: string, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const file = await openRegularFile(path).catch((error) => {
    if (error.code === undefined) throw error;
    throw Object.assign(new Error(fileProblem(error), { cause: error }), { code: error.code });
  });
  try {
    // Not the size that the file reports: it may change a moment later, and is wrong in /proc.
    const chunks = await file.createReadStream({ autoClose: false, end: limit }).toArray();
    const bytes = Buffer.concat(chunks);
    if (bytes.length <= limit) return bytes;
  } finally {
    await file.close();
  }
  const mebibyte = 1024 * 1024;
  const max = limit < mebibyte ? `${limit} bytes` : `${Math.floor(limit / mebibyte)} MiB`;
  throw new Error(`it is larger than ${max}, the maximum`);
}

/** Rejects with the error of the system, or with a reason. */
async function openRegularFile(path: string): Promise<FileHandle> {
  // Opening a pipe would wait for somebody at its other end.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw new Error(stats.isDirectory() ? 'it is a folder' : 'it is a pipe or a device, not a regular file');
}

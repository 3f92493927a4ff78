import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { playerKeyPattern } from '../../contract/credentials.ts';
import { replaceFile } from '../../kit/files/atomic-file.ts';
import { fileProblem, writeProblem } from '../../kit/files/file-problem.ts';
import { withFolderLock } from '../../kit/files/folder-lock.ts';
import { readRegularFile } from '../../kit/files/regular-file.ts';
import { makePrivateFolder } from './folders.ts';

/**
 * The typist's key, created at first use. Rejects with one sentence if it can be neither read nor saved, or
 * if the file holds something else: with a new key, everything that the old one protects would be lost.
 */
export async function openPlayerKey(folder: string): Promise<string> {
  const path = join(folder, 'player-key');
  try {
    makePrivateFolder(folder);
    const key = (await readKeyFile(path)) ?? (await withFolderLock(folder, () => makeKey(path)));
    if (playerKeyPattern.test(key)) return key;
    throw new Error(
      `${path} holds no player key: restore it; if you remove it, a new one is made, with a new history`,
    );
  } catch (error) {
    throw new Error(`your player key cannot be kept in ${folder}: ${writeProblem(error)}.`, { cause: error });
  }
}

/** In bytes; far more than a key has. */
const maxFile = 4_096;

async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path, maxFile)).toString().trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${message}`, { cause: error });
  }
}

/** Under a lock: processes that make one at once must get the same. */
async function makeKey(path: string): Promise<string> {
  const existing = await readKeyFile(path);
  if (existing !== undefined) return existing;
  const key = randomBytes(32).toString('base64url');
  await replaceFile(path, `${key}\n`, { isPrivate: true });
  return key;
}

/** A key from a file that the typist names. Rejects with one sentence if it holds none. */
export async function readPlayerKey(path: string): Promise<string> {
  const key = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`the key file "${path}" cannot be read: ${fileProblem(error)}.`, { cause: error });
  });
  if (playerKeyPattern.test(key.trim())) return key.trim();
  throw new Error(
    `${path} holds no player key: it should hold 22 to 128 letters, digits, "-" and "_", and nothing else.`,
  );
}

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { playerKeyPattern } from '../../contract/credentials.ts';
import { fileProblem } from '../../kit/files/file-problem.ts';
import { openSecretFile } from '../../kit/files/secret-file.ts';
import { makeOwnFolder } from './folders.ts';

/** The typist's key, made at first use. Rejects with one sentence if it can be neither read nor kept. */
export async function openPlayerKey(folder: string): Promise<string> {
  const path = join(folder, 'player-key');
  try {
    makeOwnFolder(folder);
    const make = () => randomBytes(32).toString('base64url');
    return await openSecretFile({ path, pattern: playerKeyPattern, make });
  } catch (error) {
    throw new Error(`your player key cannot be kept: ${(error as Error).message}.`, { cause: error });
  }
}

/** A key from a file that the typist names. Rejects with one sentence where it holds none. */
export async function readPlayerKey(path: string): Promise<string> {
  const key = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`the key file "${path}" cannot be read: ${fileProblem(error)}.`, { cause: error });
  });
  if (playerKeyPattern.test(key.trim())) return key.trim();
  throw new Error(
    `${path} holds no player key: it should hold 22 to 128 letters, digits, "-" and "_", and nothing else.`,
  );
}

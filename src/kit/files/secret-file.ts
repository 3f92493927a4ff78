import { randomBytes } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { readRegularFile } from './regular-file.ts';

export interface SecretFileOptions {
  readonly path: string;
  /** Matches a complete secret. */
  readonly pattern: RegExp;
  readonly make: () => string;
}

/**
 * Reads a secret from a file that only its owner may read, and makes it if there is none. If several
 * processes make it at once, all get the same one: link(2) never replaces a file and never shows half of one.
 * Rejects with a sentence if the file holds something else: with a new secret, everything that the old one
 * protects would be lost.
 */
export async function openSecretFile({ path, pattern, make }: SecretFileOptions): Promise<string> {
  const secret = (await readSecret(path)) ?? (await makeSecret(path, make)) ?? '';
  if (!pattern.test(secret)) {
    throw new Error(
      `${path} does not hold a valid secret: restore it, or remove it so that a new one is made`,
    );
  }
  return secret;
}

/** No secret is longer, in bytes. */
const maxSecret = 4_096;

async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path, maxSecret)).toString().trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${message}`, { cause: error });
  }
}

async function makeSecret(path: string, make: () => string): Promise<string | undefined> {
  const draft = `${path}.${randomBytes(8).toString('hex')}.draft`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${make()}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch(ignoreExisting);
  } finally {
    await rm(draft, { force: true });
  }
  return readSecret(path);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

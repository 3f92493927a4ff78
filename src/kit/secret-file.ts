import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';

export interface SecretFileOptions {
  readonly path: string;
  /** What a whole secret looks like. */
  readonly pattern: RegExp;
  readonly make: () => string;
}

/**
 * Reads a secret that is made once and then stays, in a file that only its owner may read. Where several processes make it
 * at once, all get the same one: a link never replaces, and never shows half a file. Rejects with a sentence where the
 * file holds something else: a new secret in its place would lose access to everything the old one protects.
 */
export async function openSecretFile({ path, pattern, make }: SecretFileOptions): Promise<string> {
  const secret = (await readSecret(path)) ?? (await makeSecret(path, make));
  if (!pattern.test(secret)) {
    throw new Error(
      `${path} does not hold a valid secret: restore it, or remove it so that a new one is made`,
    );
  }
  return secret;
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function makeSecret(path: string, make: () => string): Promise<string> {
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
  return (await readFile(path, 'utf8')).trim();
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

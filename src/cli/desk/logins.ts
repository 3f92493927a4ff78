import { join } from 'node:path';
import * as v from 'valibot';
import { editorTokenPattern } from '../../contract/credentials.ts';
import { replaceFile } from '../../kit/files/atomic-file.ts';
import { makeFolder } from '../../kit/files/folder.ts';
import { withFolderLock } from '../../kit/files/folder-lock.ts';
import { readRegularFile } from '../../kit/files/regular-file.ts';
import { typistFolders } from '../../tui/record/folders.ts';
import { RefusedError } from '../program/command-io.ts';

const fileSchema = v.object({
  version: v.literal(1),
  /** The server of the last login, which commands work on; null once that one is logged out. */
  defaultServer: v.nullable(v.string()),
  logins: v.array(
    v.object({
      server: v.string(),
      editor: v.string(),
      token: v.pipe(v.string(), v.regex(editorTokenPattern)),
    }),
  ),
});

type Logins = v.InferOutput<typeof fileSchema>;
export type Login = Logins['logins'][number];

/**
 * The servers where this user is logged in. Refuses a damaged file, because commands would change the
 * announcements of this computer instead.
 */
export async function readLogins(folder = typistFolders().config): Promise<Logins> {
  const path = join(folder, 'logins.json');
  const bytes = await readRegularFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new RefusedError(`${path} cannot be read: ${error.message}`);
  });
  if (bytes === undefined) return { version: 1, defaultServer: null, logins: [] };
  try {
    return v.parse(fileSchema, JSON.parse(bytes.toString()));
  } catch {
    throw new RefusedError(
      `${path} is damaged, so the servers where you are logged in are unknown; delete it and log in again`,
    );
  }
}

/** Stores a token in a file that only its owner may read, and makes its server the default. */
export function storeLogin(login: Login, folder?: string): Promise<void> {
  return changeLogins(folder, ({ logins }) => ({
    version: 1,
    defaultServer: login.server,
    logins: [...logins.filter(({ server }) => server !== login.server), login],
  }));
}

export function deleteLogin(server: string): Promise<void> {
  return changeLogins(undefined, ({ defaultServer, logins }) => ({
    version: 1,
    defaultServer: defaultServer === server ? null : defaultServer,
    logins: logins.filter((login) => login.server !== server),
  }));
}

/** One change at a time, so that two logins at once keep both tokens. */
async function changeLogins(folder = typistFolders().config, change: (before: Logins) => Logins) {
  makeFolder(folder, 0o700);
  await withFolderLock(folder, async (confirm) => {
    const text = JSON.stringify(change(await readLogins(folder)), null, 2);
    await replaceFile(join(folder, 'logins.json'), `${text}\n`, { isPrivate: true, confirm });
  });
}

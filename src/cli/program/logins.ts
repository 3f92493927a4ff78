import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { editorTokenPattern } from '../../contract/credentials.ts';
import { replaceFile } from '../../kit/files/atomic-file.ts';
import { fileProblem } from '../../kit/files/file-problem.ts';
import { makeFolder } from '../../kit/files/folder.ts';
import { withFolderLock } from '../../kit/files/folder-lock.ts';
import { RefusedError, UsageError } from './command-io.ts';

/** The server that a command works on, and why this one. */
export interface ChosenServer {
  /** As it was written, or as `login` has checked it. */
  readonly server: string;
  readonly reason: '--server' | 'TYPEBADGE_SERVER' | 'typebadge login';
}

/** Options that say where announcements are. */
export interface PlaceOptions {
  readonly server?: string | undefined;
  readonly content?: string | undefined;
  readonly store?: string | undefined;
}

/**
 * The server that is meant: `--server`, TYPEBADGE_SERVER, or the one of the last `login`. Undefined: a folder
 * or a store of this computer, because an option or a variable names one, or because nobody is logged in.
 */
export async function chosenServer(
  { server, content, store }: PlaceOptions,
  env: NodeJS.ProcessEnv,
  configDir: string,
): Promise<ChosenServer | undefined> {
  const isHere = content !== undefined || store !== undefined;
  if (server !== undefined && isHere) {
    const other = content === undefined ? '--store' : '--content';
    throw new UsageError(`give --server or ${other}, not both: announcements are in one place`);
  }
  if (server !== undefined) return { server, reason: '--server' };
  if (isHere) return undefined;
  if (env.TYPEBADGE_SERVER) return { server: env.TYPEBADGE_SERVER, reason: 'TYPEBADGE_SERVER' };
  if (env.TYPEBADGE_CONTENT || env.TYPEBADGE_STORE) return undefined;
  const defaultServer = await openLogins(configDir).defaultServer();
  return defaultServer === undefined ? undefined : { server: defaultServer, reason: 'typebadge login' };
}

/** A server where this user is logged in. */
export interface Login {
  readonly server: string;
  readonly editor: string;
  readonly token: string;
}

const fileSchema = v.object({
  version: v.literal(1),
  /** The server of the last login; null once that one is logged out. */
  defaultServer: v.nullable(v.string()),
  logins: v.array(
    v.object({
      server: v.string(),
      editor: v.string(),
      token: v.pipe(v.string(), v.regex(editorTokenPattern)),
    }),
  ),
});

/** Editors' tokens, in a file of the config folder that only its owner may read. */
export function openLogins(configDir: string) {
  const path = join(configDir, 'logins.json');
  const read = async () => parseFile(path, await readFile(path, 'utf8').catch(ifMissing(path)));
  /** One change at a time, so that two logins at once keep both tokens. */
  const change = async (edit: (file: LoginFile) => LoginFile) => {
    makeFolder(configDir, 0o700);
    await withFolderLock(configDir, async ({ confirm }) => {
      const text = JSON.stringify({ version: 1, ...edit(await read()) }, null, 2);
      await replaceFile(path, `${text}\n`, { isPrivate: true, confirm });
    });
  };
  const others = (logins: LoginFile['logins'], server: string) =>
    logins.filter((login) => login.server !== server);
  return {
    find: async (server: string) => (await read()).logins.find((login) => login.server === server),
    list: async () => (await read()).logins,
    /** The server that commands work on if nothing else is said; undefined if there is none. */
    defaultServer: async () => (await read()).defaultServer ?? undefined,
    /** Stores a token, and makes its server the default. */
    keep: (login: Login) =>
      change(({ logins }) => ({
        defaultServer: login.server,
        logins: [...others(logins, login.server), login],
      })),
    /** Resolves to whether there was one. */
    async remove(server: string) {
      if (!(await read()).logins.some((login) => login.server === server)) return false;
      await change(({ defaultServer, logins }) => ({
        defaultServer: defaultServer === server ? null : defaultServer,
        logins: others(logins, server),
      }));
      return true;
    },
  };
}

type LoginFile = Omit<v.InferOutput<typeof fileSchema>, 'version'>;

function ifMissing(path: string) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"version":1,"defaultServer":null,"logins":[]}';
    throw new RefusedError(`${path} cannot be read: ${fileProblem(error)}`);
  };
}

/** Refuses a damaged file, because commands would change the announcements of this computer instead. */
function parseFile(path: string, text: string): LoginFile {
  try {
    return v.parse(fileSchema, JSON.parse(text));
  } catch {
    throw new RefusedError(
      `${path} is damaged, so the servers where you are logged in are unknown; delete it and log in again`,
    );
  }
}

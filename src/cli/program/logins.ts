import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { editorTokenPattern } from '../../contract/credentials.ts';
import { replaceFile } from '../../kit/files/atomic-file.ts';
import { makeFolder } from '../../kit/files/folder.ts';
import { UsageError } from './command-io.ts';

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
export interface Logins {
  find(server: string): Promise<Login | undefined>;
  list(): Promise<readonly Login[]>;
  /** The server that commands work on if nothing else is said; undefined if there is none. */
  defaultServer(): Promise<string | undefined>;
  /** Stores a token, and makes its server the default. */
  keep(login: Login): Promise<void>;
  /** Resolves to whether there was one. */
  remove(server: string): Promise<boolean>;
}

export function openLogins(configDir: string): Logins {
  const path = join(configDir, 'logins.json');
  const read = async () => parseFile(await readFile(path, 'utf8').catch(() => ''));
  const write = async (defaultServer: string | null, logins: readonly Login[]) => {
    makeFolder(configDir, 0o700);
    const text = JSON.stringify({ version: 1, defaultServer, logins }, null, 2);
    await replaceFile(path, `${text}\n`, { isPrivate: true });
  };
  const others = (logins: readonly Login[], server: string) =>
    logins.filter((login) => login.server !== server);
  return {
    find: async (server) => (await read()).logins.find((login) => login.server === server),
    list: async () => (await read()).logins,
    defaultServer: async () => (await read()).defaultServer ?? undefined,
    keep: async (login) => write(login.server, [...others((await read()).logins, login.server), login]),
    async remove(server) {
      const { defaultServer, logins } = await read();
      const left = others(logins, server);
      if (left.length === logins.length) return false;
      await write(defaultServer === server ? null : defaultServer, left);
      return true;
    },
  };
}

/** No logins if the file is invalid: a token can be pasted again. */
function parseFile(text: string): Omit<v.InferOutput<typeof fileSchema>, 'version'> {
  try {
    return v.parse(fileSchema, JSON.parse(text));
  } catch {
    return { defaultServer: null, logins: [] };
  }
}

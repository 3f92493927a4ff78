import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { editorTokenPattern } from '../../contract/credentials.ts';
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
 * The server that is meant: `--server`, TYPEBADGE_SERVER, or the one of the last `login`. Undefined: a folder or a store of this
 * computer, because an option or a variable names one, or because nobody is logged in.
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
  const usual = await openLogins(configDir).usual();
  return usual === undefined ? undefined : { server: usual, reason: 'typebadge login' };
}

/** A server where this user is logged in. */
export interface Login {
  readonly server: string;
  readonly editor: string;
  readonly token: string;
}

const fileSchema = v.object({
  version: v.literal(1),
  server: v.string(),
  editor: v.string(),
  token: v.pipe(v.string(), v.regex(editorTokenPattern)),
});

/** Editors' tokens in the config folder: a file for each server, which only its owner may read, and the name of the default one. */
export interface Logins {
  find(server: string): Promise<Login | undefined>;
  list(): Promise<Login[]>;
  /** The server that commands work on if nothing else is said; undefined if there is none, or its token is gone. */
  usual(): Promise<string | undefined>;
}

export const loginFolder = (configDir: string) => join(configDir, 'servers');
export const loginPath = (configDir: string, server: string) =>
  join(loginFolder(configDir), `${encodeURIComponent(server)}.json`);
export const usualPath = (configDir: string) => join(loginFolder(configDir), 'default');

export function openLogins(configDir: string): Logins {
  const dir = loginFolder(configDir);
  const read = async (path: string) => parseLogin(await readFile(path, 'utf8').catch(() => ''));
  const find = async (server: string) => {
    const login = await read(loginPath(configDir, server));
    // A file that was renamed must not send a token to a server it is not for.
    return login?.server === server ? login : undefined;
  };
  return {
    find,
    async list() {
      const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
      const logins = await Promise.all(names.map((name) => read(join(dir, name))));
      return logins.filter((login) => login !== undefined);
    },
    async usual() {
      const server = (await readFile(usualPath(configDir), 'utf8').catch(() => '')).trim();
      return server === '' ? undefined : (await find(server))?.server;
    },
  };
}

/** The file of a login. */
export function loginText({ server, editor, token }: Login): string {
  return `${JSON.stringify({ version: 1, server, editor, token }, null, 2)}\n`;
}

function parseLogin(text: string): Login | undefined {
  try {
    const { version: _, ...login } = v.parse(fileSchema, JSON.parse(text));
    return login;
  } catch {
    return undefined;
  }
}

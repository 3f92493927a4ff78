import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { editorTokenPattern } from '../../contract/credentials.ts';
import { makeFolder } from '../../kit/files/folder.ts';
import { writeWholeFile } from '../../kit/files/whole-file.ts';
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
  /** Stores a token, and makes its server the default. */
  add(login: Login): Promise<void>;
  /** Resolves to whether there was one. */
  remove(server: string): Promise<boolean>;
}

export function openLogins(configDir: string): Logins {
  const dir = join(configDir, 'servers');
  const usualPath = join(dir, 'default');
  const pathOf = (server: string) => join(dir, `${encodeURIComponent(server)}.json`);
  const readText = (path: string) => readFile(path, 'utf8').catch(() => undefined);
  const read = async (path: string) => parseLogin((await readText(path)) ?? '');
  const find = async (server: string) => {
    const login = await read(pathOf(server));
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
      const server = (await readText(usualPath))?.trim();
      return server && (await find(server))?.server;
    },
    async add({ server, editor, token }) {
      makeFolder(configDir, 0o700);
      makeFolder(dir, 0o700);
      // An existing file would keep its mode, whatever that is.
      await rm(pathOf(server), { force: true });
      const text = `${JSON.stringify({ version: 1, server, editor, token }, null, 2)}\n`;
      await writeWholeFile(pathOf(server), text, { isPrivate: true });
      await writeWholeFile(usualPath, `${server}\n`, { isPrivate: true });
    },
    async remove(server) {
      const wasThere = (await readText(pathOf(server))) !== undefined;
      if ((await readText(usualPath))?.trim() === server) await rm(usualPath, { force: true });
      await rm(pathOf(server), { force: true });
      return wasThere;
    },
  };
}

function parseLogin(text: string): Login | undefined {
  try {
    const { version: _, ...login } = v.parse(fileSchema, JSON.parse(text));
    return login;
  } catch {
    return undefined;
  }
}

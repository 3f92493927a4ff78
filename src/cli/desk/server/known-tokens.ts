import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { editorTokenPattern } from '../../../contract/editor-token.ts';
import { makeFolder } from '../../../kit/files/folder.ts';
import { writeWholeFile } from '../../../kit/files/whole-file.ts';

/** A server where somebody is logged in. */
export interface KnownServer {
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

/** Tokens in the config folder, a file for each server that its owner alone may read. */
export interface KnownTokens {
  find(server: string): Promise<KnownServer | undefined>;
  list(): Promise<KnownServer[]>;
  keep(known: KnownServer): Promise<void>;
  /** Tells whether there was one. */
  forget(server: string): Promise<boolean>;
}

export function openKnownTokens(configDir: string): KnownTokens {
  const dir = join(configDir, 'servers');
  const pathOf = (server: string) => join(dir, `${encodeURIComponent(server)}.json`);
  const read = async (path: string): Promise<KnownServer | undefined> => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : parseKnown(text);
  };
  return {
    async find(server) {
      const known = await read(pathOf(server));
      // A file that was renamed must not send a token to a server it is not for.
      return known?.server === server ? known : undefined;
    },
    async list() {
      const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
      const found = await Promise.all(names.map((name) => read(join(dir, name))));
      return found.filter((known) => known !== undefined);
    },
    async keep({ server, editor, token }) {
      makeFolder(configDir, 0o700);
      makeFolder(dir, 0o700);
      // Where there is a file already, its mode would be kept, whatever that is.
      await rm(pathOf(server), { force: true });
      const text = `${JSON.stringify({ version: 1, server, editor, token }, null, 2)}\n`;
      await writeWholeFile(pathOf(server), text, { isPrivate: true });
    },
    async forget(server) {
      const wasThere = (await readFile(pathOf(server)).catch(() => undefined)) !== undefined;
      await rm(pathOf(server), { force: true });
      return wasThere;
    },
  };
}

function parseKnown(text: string): KnownServer | undefined {
  try {
    const { version: _, ...known } = v.parse(fileSchema, JSON.parse(text));
    return known;
  } catch {
    return undefined;
  }
}

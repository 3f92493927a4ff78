import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../kit/files/folder.ts';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { writeWholeFile } from '../../../kit/files/whole-file.ts';
import type { Log } from '../../settings/log.ts';
import { maxHistory } from './history-file.ts';

/** What a server needs to serve the badge. */
export interface CopiedContent {
  /** Text of `history.json`, and its log. */
  readonly history: string;
  readonly log: string;
  /** Text of `origins.json`. */
  readonly origins: string;
}

/** The last good content of a store on this server's own disk, for a start while the store is away. */
export interface ContentCopy {
  /** Undefined if there is none that can be read. */
  read(): Promise<CopiedContent | undefined>;
  /** Never rejects: a full disk must not stop the server. */
  write(content: CopiedContent): Promise<void>;
  /** The secret with which client addresses are hashed: without it, a public server could not start. */
  readKey(): Promise<string | undefined>;
  /** Never rejects. */
  writeKey(key: string): Promise<void>;
}

export interface ContentCopyOptions {
  readonly dataDir: string;
  /** Name of the original content; each has its own copy. */
  readonly original: string;
  readonly log: Log;
}

export function createContentCopy({ dataDir, original, log }: ContentCopyOptions): ContentCopy {
  const mark = createHash('sha256').update(original).digest('hex').slice(0, 16);
  const fileOf = (ending: string) => join(dataDir, 'content-copies', `${mark}.${ending}`);
  const read = async (ending: string) =>
    (await readRegularFile(fileOf(ending), 4 * maxHistory).catch(() => undefined))?.toString();
  const write = async (ending: string, text: string) => {
    try {
      makeFolder(dirname(fileOf(ending)));
      await writeWholeFile(fileOf(ending), text, { isPrivate: true });
    } catch (error) {
      const { message } = error as Error;
      log.warn(`the copy of the content for a start without the store is outdated: ${message}`);
    }
  };
  return {
    async read() {
      try {
        return JSON.parse((await read('json')) ?? '');
      } catch {
        return undefined;
      }
    },
    write: (content) => write('json', JSON.stringify(content)),
    readKey: () => read('key'),
    async writeKey(key) {
      if ((await read('key')) !== key) await write('key', key);
    },
  };
}

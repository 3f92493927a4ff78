import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../../kit/files/atomic-file.ts';
import { makeFolder } from '../../../kit/files/folder.ts';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
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
export type ContentCopy = ReturnType<typeof createContentCopy>;

/** @param original name of the original content; each has its own copy */
export function createContentCopy(dataDir: string, original: string, log: Log) {
  const mark = createHash('sha256').update(original).digest('hex').slice(0, 16);
  const fileOf = (ending: string) => join(dataDir, 'content-copies', `${mark}.${ending}`);
  const read = async (ending: string) =>
    (await readRegularFile(fileOf(ending), 4 * maxHistory).catch(() => undefined))?.toString();
  const write = async (ending: string, text: string) => {
    try {
      makeFolder(dirname(fileOf(ending)));
      await replaceFile(fileOf(ending), text, { isPrivate: true });
    } catch (error) {
      const { message } = error as Error;
      log.warn(`the copy of the content for a start without the store is outdated: ${message}`);
    }
  };
  return {
    /** Undefined if there is no readable copy. */
    read: (): Promise<CopiedContent | undefined> =>
      read('json')
        .then((text) => JSON.parse(String(text)))
        .catch(() => undefined),
    /** Never rejects, nor does `writeKey`: a full disk must not stop the server. */
    write: (content: CopiedContent) => write('json', JSON.stringify(content)),
    /** The secret with which addresses are hashed; an exposed server needs it to start. */
    readKey: () => read('key'),
    async writeKey(key: string) {
      if ((await read('key')) !== key) await write('key', key);
    },
  };
}

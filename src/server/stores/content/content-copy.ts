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
}

export interface ContentCopyOptions {
  readonly dataDir: string;
  /** Name of the original content; each has its own copy. */
  readonly original: string;
  readonly log: Log;
}

export function createContentCopy({ dataDir, original, log }: ContentCopyOptions): ContentCopy {
  const mark = createHash('sha256').update(original).digest('hex').slice(0, 16);
  const path = join(dataDir, 'content-copies', `${mark}.json`);
  return {
    async read() {
      try {
        return JSON.parse((await readRegularFile(path, 4 * maxHistory)).toString());
      } catch {
        return undefined;
      }
    },
    async write(content) {
      try {
        makeFolder(dirname(path));
        await writeWholeFile(path, JSON.stringify(content), { isPrivate: true });
      } catch (error) {
        log.warn(
          `the copy of the content for a start without the store is outdated: ${(error as Error).message}`,
        );
      }
    },
  };
}

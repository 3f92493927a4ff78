import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import { withFolderLock } from '../../../../kit/files/folder-lock.ts';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { writeWholeFile } from '../../../../kit/files/whole-file.ts';
import type { Outbox } from '../../ports.ts';

/** Largest file that is read, in bytes: several times the most that webhooks keep. */
const largestFile = 64 * 1024 * 1024;

export interface FileOutboxOptions {
  readonly dataDir: string;
  /** Name of the content; each has an outbox of its own. */
  readonly content: string;
}

/** The outbox of a server without a store: a file in the data folder, changed under a lock because several servers may share it. */
export function createFileOutbox({ dataDir, content }: FileOutboxOptions): Outbox {
  const dir = join(dataDir, 'webhooks');
  const mark = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const path = join(dir, `${mark}.json`);
  const read = async () => {
    try {
      return (await readRegularFile(path, largestFile)).toString();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    read,
    async update(change) {
      makeFolder(dir, 0o700);
      return withFolderLock(dir, async (lock) => {
        const before = await read();
        const { text, result } = await change(before);
        if (text === undefined || text === before) return result;
        await lock.confirm();
        await writeWholeFile(path, text, { isPrivate: true });
        return result;
      });
    },
    async setAside(text) {
      const aside = join(dir, `${mark}.damaged-${Date.now()}.json`);
      await writeWholeFile(aside, text, { isPrivate: true });
      return aside;
    },
  };
}

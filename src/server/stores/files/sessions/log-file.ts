import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';

/**
 * A log file that stays open, because on a busy server each asynchronous step waits for a turn of the event loop, and writing
 * should take few of them.
 */
export interface LogFile {
  /** Appends with one system call. Rejects if the file is not as long as it was after the last call. */
  append(text: string): Promise<void>;
  size(): number;
  close(): Promise<void>;
}

export async function openLogFile(path: string): Promise<LogFile> {
  makeFolder(dirname(path));
  const handle = await open(path, 'ax');
  const { ino } = await handle.stat();
  let size = 0;
  return {
    async append(text) {
      // Checked by name: another server that considered this one dead may have taken the folder.
      const present = await stat(path);
      if (present.size !== size || present.ino !== ino)
        throw new Error('somebody else changed the log of open sessions');
      const bytes = Buffer.from(text);
      const { bytesWritten } = await handle.write(bytes);
      if (bytesWritten < bytes.length)
        throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
      size += bytesWritten;
    },
    size: () => size,
    close: () => handle.close(),
  };
}

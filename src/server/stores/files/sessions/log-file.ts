import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../../../kit/folder.ts';

/**
 * A log that is kept open, because each step of a writing waits a turn of a server that may be busy, and all of them
 * together must not take long.
 */
export interface LogFile {
  /** Appends with one system call to a file that is as long as it was left. */
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
      // Looked up by its name: another server that took this one for dead may have taken the folder away.
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

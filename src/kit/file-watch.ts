import { stat } from 'node:fs/promises';

export interface FileWatch {
  /** Resolves to whether any of the files is not as it was at the last call. */
  hasChanged(): Promise<boolean>;
}

/**
 * Compares what the file system says of each file. Asking beats listening here: notifications get lost on network and
 * container file systems, and a replaced file is a new file to them.
 */
export async function createFileWatch(paths: readonly string[]): Promise<FileWatch> {
  let known = await signatureOf(paths);
  return {
    async hasChanged() {
      const current = await signatureOf(paths);
      const changed = current !== known;
      known = current;
      return changed;
    },
  };
}

async function signatureOf(paths: readonly string[]): Promise<string> {
  const stats = await Promise.all(paths.map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return stats
    .map((file) => (file ? `${file.ino}:${file.size}:${file.mtimeNs}:${file.ctimeNs}` : 'none'))
    .join('|');
}

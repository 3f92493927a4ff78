import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LockError, type LockOptions, withFolderLock } from '../../../../kit/files/folder-lock.ts';
import type { Lost } from '../../../../kit/files/ownership.ts';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { sweepDraftsOf, writeWholeFile } from '../../../../kit/files/whole-file.ts';
import { ContentError } from '../../content/content-error.ts';
import type { Content, ContentName } from '../../ports.ts';

/** Largest file that is read, in bytes: more than 100,000 announcements. */
const largestFile = 64 * 1024 * 1024;
/** Files that only their owner may read. */
const privateFiles: ReadonlySet<ContentName> = new Set(['editors.json']);

export interface FolderContentOptions extends LockOptions {
  /** Called with a sentence if a change was made, but a property of the file, such as its owner, could not be kept. */
  readonly onNote?: (note: string) => void;
}

/** The files of a content folder, changed under a lock. Rejects with a ContentError; nothing has changed then. */
export function createFolderContent(dir: string, options: FolderContentOptions = {}): Content {
  const nameOf = (name: ContentName) => join(dir, name);
  const write = async (name: ContentName, text: string) => {
    const path = nameOf(name);
    const lost = await writeWholeFile(path, text, { isPrivate: privateFiles.has(name) });
    if (lost.length > 0) options.onNote?.(toLostNote(path, lost));
  };
  return {
    kind: 'folder',
    name: dir,
    nameOf,
    async read(name) {
      // Read before the text: if the file changes in between, the next check sees another version.
      const version = await versionOf(nameOf(name));
      const text = await readText(nameOf(name));
      return text === undefined ? undefined : { version: version ?? '', text };
    },
    async update(name, change) {
      const path = nameOf(name);
      try {
        return await withFolderLock(
          dir,
          async (lock) => {
            await sweepDraftsOf(path);
            const before = await readText(path);
            const { text, result } = await change(before);
            if (text === undefined || text === before) return result;
            await lock.confirm();
            await write(name, text);
            return result;
          },
          options,
        );
      } catch (error) {
        throw toContentError(error, path);
      }
    },
    versions: (names) => Promise.all(names.map((name) => versionOf(nameOf(name)))),
  };
}

/**
 * A version from the metadata of a file. Polling beats watching here: notifications get lost on network and container file
 * systems, and they treat a replaced file as a new one.
 */
async function versionOf(path: string): Promise<string | undefined> {
  const file = await stat(path, { bigint: true }).catch(() => undefined);
  return file && `${file.ino}:${file.size}:${file.mtimeNs}:${file.ctimeNs}`;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path, largestFile)).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ContentError(`${path} cannot be read: ${reasonOf(error)}`, path, [], { cause: error });
  }
}

function toContentError(error: unknown, path: string): ContentError {
  if (error instanceof ContentError) return error;
  if (error instanceof LockError) return new ContentError(`${error.message}. Nothing was changed: try again`);
  const message = `${path} cannot be written: ${reasonOf(error)}. Nothing was changed`;
  return new ContentError(message, path, [], { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'the file would be larger than this system allows',
  EROFS: 'the disk is read-only',
  EACCES: 'you may not (permission denied)',
  EPERM: 'you may not (permission denied)',
  EISDIR: 'it is a folder',
  ENXIO: 'it is not a file',
  ENOENT: 'the folder is gone',
};

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

function toLostNote(path: string, lost: readonly Lost[]): string {
  return `The ${lost.join(' and ')} of ${path} could not be kept, since it belongs to somebody else: check that the server can still read it.`;
}

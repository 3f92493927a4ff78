import { join } from 'node:path';
import { emptyHistory, type HistoryFile } from '../../../../announcements/announcement.ts';
import { LockError, type LockOptions, withFolderLock } from '../../../../kit/folder-lock.ts';
import type { Lost } from '../../../../kit/ownership.ts';
import { readRegularFile } from '../../../../kit/regular-file.ts';
import { sweepDraftsOf, writeWholeFile } from '../../../../kit/whole-file.ts';
import { ContentError, toProblemSentence } from './content-error.ts';
import { parseHistoryFile, toHistoryText } from './history-file.ts';

export const historyFileName = 'history.json';
export const originsFileName = 'origins.json';
/** Bytes of a file of the content folder: more than 100,000 announcements. */
const largestFile = 64 * 1024 * 1024;
const validateHint = ': see typebadge announce validate';

/** The content folder, read and changed. Every failure is a ContentError, and has changed nothing. */
export interface ContentStore {
  readonly dir: string;
  readHistory(): Promise<HistoryFile>;
  /** Runs `change` on the present history, alone among all processes, and writes what it returns unless that is the same object. */
  updateHistory<T extends { readonly history: HistoryFile } | { readonly problem: string }>(
    change: (history: HistoryFile) => T,
  ): Promise<T>;
  /** The text of `origins.json`; undefined where there is none. */
  readOriginsText(): Promise<string | undefined>;
  /** Like `updateHistory`, on the text of `origins.json`. */
  updateOriginsText<T extends { readonly text: string } | { readonly problem: string }>(
    change: (text: string | undefined) => T,
  ): Promise<T>;
}

export interface ContentStoreOptions extends LockOptions {
  /** Called with a sentence where a change was made, but something about the file is not as it was. */
  readonly onNote?: (note: string) => void;
}

export function openContentStore(dir: string, options: ContentStoreOptions = {}): ContentStore {
  const historyPath = join(dir, historyFileName);
  const originsPath = join(dir, originsFileName);

  const readHistory = async () => {
    const text = await readText(historyPath);
    if (text === undefined) return emptyHistory;
    const result = parseHistoryFile(text);
    if ('problems' in result)
      throw new ContentError(
        toProblemSentence(historyPath, result.problems, validateHint),
        historyPath,
        result.problems,
      );
    return result.history;
  };

  const replacing = async <T>(path: string, work: (write: (text: string) => Promise<void>) => Promise<T>) => {
    try {
      return await withFolderLock(
        dir,
        async (lock) => {
          await sweepDraftsOf(path);
          return await work(async (text) => {
            await lock.confirm();
            const lost = await writeWholeFile(path, text);
            if (lost.length > 0) options.onNote?.(toLostNote(path, lost));
          });
        },
        options,
      );
    } catch (error) {
      if (error instanceof ContentError) throw error;
      if (error instanceof LockError)
        throw new ContentError(`${error.message}. Nothing was changed: try again`);
      throw new ContentError(`${path} cannot be written: ${reasonOf(error)}. Nothing was changed`, path, [], {
        cause: error,
      });
    }
  };

  return {
    dir,
    readHistory,
    updateHistory: (change) =>
      replacing(historyPath, async (write) => {
        const before = await readHistory();
        const outcome = change(before);
        if ('history' in outcome && outcome.history !== before) await write(toHistoryText(outcome.history));
        return outcome;
      }),
    readOriginsText: () => readText(originsPath),
    updateOriginsText: (change) =>
      replacing(originsPath, async (write) => {
        const before = await readText(originsPath);
        const outcome = change(before);
        if ('text' in outcome && outcome.text !== before) await write(outcome.text);
        return outcome;
      }),
  };
}

/** The text of a file of the content folder; undefined where there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path, largestFile)).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ContentError(`${path} cannot be read: ${reasonOf(error)}`, path, [], { cause: error });
  }
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sweepDraftsOf, writeWholeFile } from '../whole-file.ts';
import { emptyHistory, type HistoryFile } from './announcement.ts';
import { ContentError } from './content-error.ts';
import { type LockOptions, sweepLockDrafts, withFolderLock } from './folder-lock.ts';
import { parseHistoryFile, toHistoryText } from './history-file.ts';
import type { FileProblem } from './json-lines.ts';

export const historyFileName = 'history.json';
export const originsFileName = 'origins.json';

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

export function openContentStore(dir: string, options: LockOptions = {}): ContentStore {
  const historyPath = join(dir, historyFileName);
  const originsPath = join(dir, originsFileName);

  const readHistory = async () => {
    const text = await readText(historyPath);
    if (text === undefined) return emptyHistory;
    const result = parseHistoryFile(text);
    if ('problems' in result)
      throw new ContentError(toSentence(historyPath, result.problems), historyPath, result.problems);
    return result.history;
  };

  const replacing = async <T>(path: string, work: (write: (text: string) => Promise<void>) => Promise<T>) => {
    try {
      return await withFolderLock(
        dir,
        async () => {
          await Promise.all([sweepLockDrafts(dir), sweepDraftsOf(path)]);
          return await work((text) => writeWholeFile(path, text));
        },
        options,
      );
    } catch (error) {
      if (error instanceof ContentError) throw error;
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
    return await readFile(path, 'utf8');
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
  ENOENT: 'the folder is gone',
};

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

function toSentence(path: string, problems: readonly FileProblem[]): string {
  const [first] = problems;
  const line = first?.line === undefined ? '' : `:${first.line}`;
  const more =
    problems.length > 1 ? ` (and ${problems.length - 1} more: see typebadge announce validate)` : '';
  return `${path}${line}: ${first?.path ? `${first.path}: ` : ''}${first?.message}${more}`;
}

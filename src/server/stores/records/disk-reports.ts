import { linkSync } from 'node:fs';
import { codeOf } from './record-folder.ts';
import { StoreUnavailableError } from './records.ts';

export interface DiskReportsOptions {
  /** Called once for each file that is damaged or missing, with a sentence that names it. */
  readonly onDamage?: (message: string) => void;
  /** Called with a sentence if the disk refuses something, at most once a minute. */
  readonly onProblem?: (message: string) => void;
}

/** Milliseconds for which a problem counts: on a full disk, short changes may still succeed. */
const problemLife = 60 * 1000;

/** Reports on the files of records, for operators. */
export function createDiskReports({ onDamage, onProblem }: DiskReportsOptions) {
  let latest: { readonly sentence: string; readonly at: number } | undefined;
  let lastReport = Number.NEGATIVE_INFINITY;
  const reported = new Set<string>();

  return {
    /** Does some work. Rejects with a StoreUnavailableError if the disk refuses it. */
    async answer<T>(work: () => T | Promise<T>): Promise<T> {
      try {
        const answer = work();
        // Most work is done by now: waiting for it would only take time.
        return answer instanceof Promise ? await answer : answer;
      } catch (error) {
        const sentence = sentences[codeOf(error)];
        if (sentence === undefined) throw error;
        const at = performance.now();
        latest = { sentence, at };
        if (at - lastReport >= problemLife) {
          lastReport = at;
          onProblem?.(sentence);
        }
        throw new StoreUnavailableError(sentence, { cause: error });
      }
    },
    /** What the disk refused within the last minute, in a sentence. */
    problem: () =>
      latest !== undefined && performance.now() - latest.at < problemLife ? latest.sentence : undefined,
    /** Keeps a damaged file under another name, too, and says so, once. */
    reportDamage(path: string): void {
      if (reported.has(path)) return;
      reported.add(path);
      const message = 'A data file is damaged. What can be read of it counts';
      try {
        linkSync(path, `${path}.damaged`);
        onDamage?.(`${message}. It was set aside as ${path}.damaged`);
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') onDamage?.(`${message}: ${path}`);
      }
    },
    reportMissing(path: string): void {
      if (reported.has(path)) return;
      reported.add(path);
      onDamage?.(`A data file is missing. What was in it is lost, everything else counts: ${path}`);
    },
  };
}

const full = 'The disk of the data folder is full.';
const denied = 'This user may not write to the data folder.';
const sentences: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  EACCES: denied,
  EPERM: denied,
  EROFS: 'The data folder is on a read-only file system.',
  EIO: 'The disk of the data folder fails.',
  EMFILE: 'This process has too many open files.',
  ENFILE: 'This machine has too many open files.',
};

import { linkSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { codeOf, createRefusals, StoreUnavailableError } from './records.ts';

export interface DiskReportsOptions {
  /** Called once for each file that is damaged or missing, with a sentence that names it. */
  readonly onDamage?: (message: string) => void;
  /** Called with a sentence if the disk refuses something, and had not for ten seconds. */
  readonly onProblem?: (message: string) => void;
}

/** Reports on the files of records, for operators. `closeFiles`: called when too many are open. */
export function createDiskReports(
  { onDamage = () => {}, onProblem = () => {} }: DiskReportsOptions,
  closeFiles: () => void,
) {
  const refusals = createRefusals(onProblem);
  const reported = new Set<string>();

  const explained = (error: unknown): unknown => {
    // Without the path: `/health/ready` says it to everyone.
    const reason = getSystemErrorMap().get(Object(error).errno)?.[1];
    if (reason === undefined) return error;
    if (codeOf(error) === 'EMFILE') closeFiles();
    const sentence = `The data folder cannot be used: ${reason}.`;
    refusals.report(sentence);
    return new StoreUnavailableError(sentence);
  };
  /**
   * Runs work that is mostly synchronous. Rejects with a StoreUnavailableError if the disk refuses it. With
   * too many open files it is tried twice: what opens one has written nothing yet.
   */
  const answerNow = <T>(work: () => T | Promise<T>, isSecond = false): T | Promise<T> => {
    try {
      const answer = work();
      return answer instanceof Promise ? answer.catch((error) => Promise.reject(explained(error))) : answer;
    } catch (error) {
      if (isSecond || codeOf(error) !== 'EMFILE') return Promise.reject(explained(error));
      closeFiles();
      return answerNow(work, true);
    }
  };

  return {
    answerNow,
    answer: async <T>(work: () => T | Promise<T>) => answerNow(work),
    /** What the disk refused within the last ten seconds, in a sentence. */
    problem: refusals.current,
    /** Reports a damaged or missing file once; a damaged one is also kept under another name. */
    reportDamage(path: string): void {
      if (reported.has(path)) return;
      reported.add(path);
      const message = 'A data file is damaged. Its readable part is still used';
      // The whole id of a session would be enough to use it.
      const shown = path.replace(/(?<=[\\/]session[\\/].{8})[^.]*/, '…');
      try {
        linkSync(path, `${path}.damaged`);
        onDamage(`${message}. It was set aside as ${shown}.damaged`);
      } catch (error) {
        if (codeOf(error) === 'ENOENT')
          onDamage(`A data file is missing. Its contents are lost, everything else is still used: ${shown}`);
        else if (codeOf(error) !== 'EEXIST') onDamage(`${message}: ${shown}`);
      }
    },
  };
}

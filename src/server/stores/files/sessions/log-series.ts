import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogFile, openLogFile } from './log-file.ts';

/** The numbered logs of one folder. Only the last is written to, and it replaces those before it. */
export interface LogSeries {
  append(text: string): Promise<void>;
  /** Bytes of the last log. */
  size(): number;
  /**
   * Begins another log with what `write` appends; those before it go once that is there. Where it fails, they stay until a
   * later one succeeds.
   */
  begin(write: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Nothing is made in the folder before something is appended. */
export function createLogSeries(dir: string): LogSeries {
  let number = 1;
  let file: LogFile | undefined;
  const replaced = new Set<string>();

  const path = () => join(dir, `log-${String(number).padStart(6, '0')}.jsonl`);
  const close = async () => {
    const open = file;
    file = undefined;
    await open?.close().catch(() => undefined);
  };
  return {
    async append(text) {
      file ??= await openLogFile(path());
      await file.append(text);
    },
    size: () => file?.size() ?? 0,
    async begin(write) {
      await close();
      replaced.add(path());
      number += 1;
      try {
        await write();
      } catch (error) {
        await close();
        await rm(path(), { force: true }).catch(() => undefined);
        throw error;
      }
      for (const each of replaced) await rm(each, { force: true });
      replaced.clear();
    },
    close,
  };
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogFile, openLogFile } from './log-file.ts';

/** The numbered logs of a folder. Only the last one is written to, and it replaces those before it. */
export interface LogSeries {
  append(text: string): Promise<void>;
  /** Bytes of the last log. */
  size(): number;
  /**
   * Begins a new log with what `write` appends, then removes the older ones. If that fails, they stay until a later attempt
   * succeeds.
   */
  begin(write: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Creates no file until something is appended. */
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

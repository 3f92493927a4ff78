import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import type { SessionEvent } from '../../session-events/session-event.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';

/** Handles sessions in logs that there is no room for: saves their finished rounds and sets their lines aside. */
export interface SessionOverflow {
  add(events: readonly SessionEvent[], line: Buffer): void;
  /** Writes everything added so far. Never rejects; see `problem`. */
  flush(): Promise<void>;
  /** The file that the lines are written to. */
  readonly file: string;
  /** The first error, if any: then the logs must not be removed. */
  problem(): Error | undefined;
}

export interface SessionOverflowOptions {
  readonly dataDir: string;
  readonly keep: (rounds: readonly UnsavedRound[]) => Promise<void>;
}

export function createSessionOverflow({ dataDir, keep }: SessionOverflowOptions): SessionOverflow {
  const dir = join(dataDir, 'set-aside');
  const file = join(dir, `sessions-${Date.now().toString(36)}.jsonl`);
  let added = newPortion();
  let problem: Error | undefined;

  const write = async () => {
    const { lines, rounds } = added;
    added = newPortion();
    if (rounds.length > 0) await keep(rounds);
    if (lines.length === 0) return;
    makeFolder(dir);
    await appendFile(file, Buffer.concat(lines));
  };
  return {
    add(events, line) {
      // A copy, because the line is a view of a large chunk.
      added.lines.push(Buffer.from(line), newline);
      for (const event of events) if ('unsaved' in event) added.rounds.push(event.unsaved);
    },
    flush: () =>
      write().catch((error) => {
        problem ??= error as Error;
      }),
    file,
    problem: () => problem,
  };
}

/** What has been added but not written yet. */
interface Portion {
  readonly lines: Buffer[];
  readonly rounds: UnsavedRound[];
}

const newPortion = (): Portion => ({ lines: [], rounds: [] });

const newline = Buffer.from('\n');

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
  let lines: Buffer[] = [];
  let rounds: UnsavedRound[] = [];
  let problem: Error | undefined;

  const write = async () => {
    const [newLines, newRounds] = [lines, rounds];
    lines = [];
    rounds = [];
    if (newRounds.length > 0) await keep(newRounds);
    if (newLines.length === 0) return;
    makeFolder(dir);
    await appendFile(file, Buffer.concat(newLines));
  };
  return {
    add(events, line) {
      // A copy, because the line is a view of a large chunk.
      lines.push(Buffer.from(line), newline);
      for (const event of events) if ('unsaved' in event) rounds.push(event.unsaved);
    },
    flush: () =>
      write().catch((error) => {
        problem ??= error as Error;
      }),
    file,
    problem: () => problem,
  };
}

const newline = Buffer.from('\n');

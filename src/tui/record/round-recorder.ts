import { appendRoundRecords } from './round-history.ts';
import type { RoundRecord } from './round-line.ts';

/** Keeps finished rounds in the client's own record. */
export interface RoundRecorder {
  /** Writes a record down; throws where the disk takes none, and then writes it with the next one. */
  add(record: RoundRecord): void;
}

export function createRoundRecorder(folder: string): RoundRecorder {
  const unwritten: RoundRecord[] = [];
  return {
    add(record) {
      unwritten.push(record);
      appendRoundRecords(folder, unwritten);
      unwritten.length = 0;
    },
  };
}

import { appendRoundRecords, readRoundHistory } from './record/round-history.ts';
import { toIdentity } from './record/round-line.ts';
import { toRoundRecord } from './record/round-record.ts';
import { readUnsentRounds, removeUnsent, toLeftRound } from './record/unsent-journal.ts';

/**
 * Records the rounds that a limit has ended and whose client was gone before it could: no server takes them. One that
 * is in the record already is not written twice. Rejects where the disk takes none: the next start tries again.
 */
export async function recordEndedRounds(unsentFolder: string, recordFolder: string): Promise<void> {
  const ended = readUnsentRounds(unsentFolder).flatMap((unsent) => {
    const round = toLeftRound(unsent);
    return round.ended === undefined
      ? []
      : [{ unsent, record: toRoundRecord(round, unsent.head.punctuation) }];
  });
  if (ended.length === 0) return;
  const { records } = await readRoundHistory(recordFolder);
  const known = new Set(records.map(toIdentity));
  for (const { unsent, record } of ended) {
    if (!known.has(toIdentity(record))) appendRoundRecords(recordFolder, [record]);
    removeUnsent(unsent);
  }
}

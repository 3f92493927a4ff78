import { parseJournalLine } from '../../../../server/stores/journal-line.ts';
import type { FoundRound } from './data-side.ts';

/** Undefined where the line is not a round. */
export function toFoundRound(line: string): FoundRound | undefined {
  const round = parseJournalLine(line);
  if (round === undefined) return undefined;
  const finishedAt = Date.parse(round.completedAt);
  return { id: round.id, line, finishedAt: Number.isFinite(finishedAt) ? finishedAt : 0 };
}

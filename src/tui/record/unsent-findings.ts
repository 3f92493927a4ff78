import type { UnsentRound } from './unsent-journal.ts';

/** What became of the rounds that earlier clients left. */
export interface UnsentFindings {
  /** Complete rounds that have been delivered now. */
  readonly delivered: number;
  /** The latest round that was cut off and can go on. */
  readonly left: UnsentRound | undefined;
  /** The servers that finished rounds still wait for, one for each of those rounds; not the one of now. */
  readonly awaited: readonly string[];
}

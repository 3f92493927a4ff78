import type { UnsentRound } from './unsent-journal.ts';

/** What became of the rounds that earlier clients left. */
export interface UnsentFindings {
  /** Complete rounds that have been delivered now. */
  readonly delivered: number;
  /** The latest round that was cut off and can go on. */
  readonly left: UnsentRound | undefined;
  /**
   * Rounds that were cut off, and wait for a server that is another one or does not answer; oldest first. Not those that
   * most servers have forgotten by now.
   */
  readonly heldUp: readonly UnsentRound[];
  /** The servers that finished rounds still wait for, one for each of those rounds; not the one of now. */
  readonly awaited: readonly string[];
}

import type { HistoryFile } from '../../announcements/announcement.ts';
import type { OutboxState } from './outbox-state.ts';

/** Milliseconds after which a log that is still shorter than the one seen must have been restored by an operator. */
const longestDelay = 30_000;

/**
 * Checks whether a server's announcements are older than those that the outbox has seen. Servers that share it read a change a
 * moment after another server has made it: compared with what was seen, a late copy would end what has just begun.
 */
export function createLateCopyCheck(): (history: HistoryFile, state: OutboxState, now: number) => boolean {
  let since: number | undefined;
  return (history, { seen }, now) => {
    since = history.changes.length < seen.changes ? (since ?? now) : undefined;
    return since !== undefined && now - since < longestDelay;
  };
}

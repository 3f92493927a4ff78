import type { HistoryFile } from '../../announcements/announcement.ts';
import type { OutboxState } from './outbox-state.ts';

/** Milliseconds after which a log that is still shorter than the one seen must have been restored by an operator. */
const longestDelay = 30_000;

/**
 * Checks whether a server's announcements are older than those that the outbox has seen. Servers that share it read a change a
 * moment after another server has made it: compared with what was seen, a late copy would end what has just begun.
 *
 * @param ticks monotonic clock, in milliseconds: by a clock that is set back, a copy would stay late for too long
 */
export function createLateCopyCheck(
  ticks = () => performance.now(),
): (history: HistoryFile, state: OutboxState) => boolean {
  let since: number | undefined;
  return (history, { seen }) => {
    const now = ticks();
    since = history.changes.length < seen.changes ? (since ?? now) : undefined;
    return since !== undefined && now - since < longestDelay;
  };
}

import type { LogFields } from './log.ts';

/** Lines of one message in a minute. */
const maxLines = 10;
const minute = 60_000;
/** Messages that are counted apart: their texts may depend on what strangers send. */
const maxMessages = 20;
const otherMessage = 'others that were refused';

export type BoundWrite = (message: string, fields: LogFields) => void;

/**
 * Logs what strangers can repeat as often as they like: ten lines of each message in a minute, and at its end
 * a line that says how many were left out. No flood of one message hides another.
 */
export function boundLines(write: BoundWrite): BoundWrite {
  const counts = new Map<string, number>();
  const endMinute = () => {
    for (const [message, count] of counts)
      if (count > maxLines) write(message, { left_out: count - maxLines });
    counts.clear();
  };
  return (message, fields) => {
    if (counts.size === 0) setTimeout(endMinute, minute).unref();
    const counted = counts.has(message) || counts.size < maxMessages ? message : otherMessage;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, count);
    if (count <= maxLines) write(message, fields);
  };
}

import type { Change, HistoryFile } from '../announcement.ts';

/**
 * Whether `after` results from `before` by changes alone, that is, whether its log continues that of `before`. If `before` has no
 * log yet, `after` must still know each of its announcements.
 */
export function isContinuation(before: HistoryFile, after: HistoryFile): boolean {
  const at = before.changes.length - 1;
  const last = before.changes[at];
  if (last !== undefined) return isSameChange(last, after.changes[at]);
  const known = new Set([...after.announcements, ...after.changes].map(({ id }) => id));
  return before.announcements.every(({ id }) => known.has(id));
}

function isSameChange(one: Change, other: Change | undefined): boolean {
  return (
    other !== undefined &&
    one.at === other.at &&
    one.by === other.by &&
    one.action === other.action &&
    one.id === other.id &&
    one.request === other.request
  );
}

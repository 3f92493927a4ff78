/**
 * Largest `history.json` that a change may write, in bytes: a server with 256 MB of memory for JavaScript survives many changes
 * of such a file at once, in whatever script it is written. Larger files, of up to 64 MiB, are still read and served.
 */
export const largestHistory = 16 * 1024 * 1024;

/** Whether a text is too large for a change of `history.json`. */
export function isOversize(text: string | undefined, most = largestHistory): boolean {
  return text !== undefined && Buffer.byteLength(text) > most;
}

/** Why a change is refused, and what to do, as a sentence without a full stop. */
export function describeOversize(most = largestHistory): string {
  const size = most < 1024 * 1024 ? `${most} bytes` : `${Math.floor(most / 1024 / 1024)} MiB`;
  return `history.json would be larger than ${size}, the most that it may grow to: keep a copy of it, then empty its list of changes, "changes": []; the announcements stay, only the log and undo begin again. If that is not enough, remove old announcements from it too`;
}

/** Largest `history.json` that a change may write, in bytes: below the limit for reading, so that it can be read again. */
export const largestHistory = 60 * 1024 * 1024;

/** Why a text is too large for `history.json`, and what to do, as a sentence without a full stop; undefined if it is not. */
export function findOversize(text: string, most = largestHistory): string | undefined {
  if (Buffer.byteLength(text) <= most) return undefined;
  const size = most < 1024 * 1024 ? `${most} bytes` : `${Math.floor(most / 1024 / 1024)} MiB`;
  return `history.json would be larger than ${size}, the most that it may grow to: keep a copy of it, then empty its list of changes, "changes": []; the announcements stay, only the log and undo begin again`;
}

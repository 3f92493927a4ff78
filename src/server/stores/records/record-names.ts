import { randomBytes } from 'node:crypto';

/**
 * Makes version names that no other process makes, not even after a restart or a restored backup: a random part for each
 * process, and a counter.
 */
export function createVersions(): () => string {
  const origin = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return origin + count.toString(36);
  };
}

/** Throws if this is no id of a record: it becomes a path, or a part of a key. */
export function requireRecordId(id: string): void {
  if (!/^[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)*$/.test(id) || id.length > 200)
    throw new Error(`not an id of a record: ${id}`);
}

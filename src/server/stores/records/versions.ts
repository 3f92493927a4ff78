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

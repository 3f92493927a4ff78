import { createHash } from 'node:crypto';

/** Names what the allow-list says, in 22 letters of base64url: another list, or another order of it, has another one. */
export function toOriginsRevision(origins: readonly string[]): string {
  return createHash('sha256').update(origins.join('\n')).digest('base64url').slice(0, 22);
}

import { createHash } from 'node:crypto';

/** Revision of the allow-list, 22 characters of base64url: it differs for other entries or another order. */
export function toOriginsRevision(origins: readonly string[]): string {
  return createHash('sha256').update(origins.join('\n')).digest('base64url').slice(0, 22);
}

import { createHash } from 'node:crypto';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { describeSince, numberedChanges } from '../../announcements/changes/change-log.ts';
import { fieldNames } from '../../announcements/fields.ts';
import { isMatchHit } from '../http/representation.ts';
import type { ContentStore } from '../stores/content/content-store.ts';
import type { PulseCount } from '../stores/pulse.ts';
import { changedMeanwhile } from './desk-refusals.ts';

/** What the operations of the API work with. */
export interface DeskParts {
  readonly store: ContentStore;
  /** Counts since that day (`YYYY-MM-DD`, UTC), inclusive. */
  readonly readPulse: (sinceDay: string) => Promise<readonly PulseCount[]>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * `<number of changes>-<hash of the announcements>`: it differs whenever anything in them does, and the
 * number shows which changes came later.
 */
export function revisionOf({ announcements, changes }: HistoryFile): string {
  // A text from the disk may have its fields in another order.
  const values = announcements.map((entry) => fieldNames.map((name) => entry[name] ?? null));
  return `${changes.length}-${shortHash(JSON.stringify(values))}`;
}

/** Revision of the allow-list: it differs if the entries or their order do. */
export function originsRevision(origins: readonly string[]): string {
  return shortHash(origins.join('\n'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Throws a 412 if `If-Match` names an outdated revision; it says what was changed in the meantime. */
export function requireRevision(ifMatch: string | undefined, history: HistoryFile): void {
  const revision = revisionOf(history);
  if (ifMatch === undefined || isMatchHit(ifMatch, `"${revision}"`)) return;
  const [, seen] = /^"?(\d{1,9})-[\w-]{22}"?$/.exec(ifMatch.trim()) ?? [];
  const what = seen === undefined ? undefined : describeSince(numberedChanges(history.changes), Number(seen));
  throw changedMeanwhile(what ?? 'by hand, in the file itself', revision);
}

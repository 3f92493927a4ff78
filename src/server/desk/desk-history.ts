import { createHash } from 'node:crypto';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { describeSince, numberedChanges } from '../../announcements/changes/change-log.ts';
import { fieldNames } from '../../announcements/fields.ts';
import { isMatchHit } from '../http/representation.ts';
import type { ContentStore } from '../stores/content/content-store.ts';
import type { PulseCount } from '../stores/pulse.ts';
import { changedMeanwhile, type DeskError } from './desk-refusals.ts';

/** The announcements with their revision, which differs whenever anything in them does. */
export interface HistoryAtRevision {
  readonly history: HistoryFile;
  /** `<number of changes>-<hash of the announcements>`; the number tells which changes came later. */
  readonly revision: string;
}

/** The announcements after a change, or why it is refused. */
export type DeskOutcome = { readonly history: HistoryFile } | { readonly refusal: DeskError };

export interface DeskHistory {
  read(): Promise<HistoryAtRevision>;
  /** Like `ContentStore.updateHistory`. Rejects with a refusal, or resolves to outcome and revision. */
  update<T extends DeskOutcome>(
    change: (seen: HistoryAtRevision) => T,
  ): Promise<Exclude<T, { readonly refusal: DeskError }> & { readonly revision: string }>;
}

/** What the operations of the API work with. */
export interface DeskParts {
  readonly desk: DeskHistory;
  readonly store: ContentStore;
  /** Counts since that day (`YYYY-MM-DD`, UTC), inclusive. */
  readonly readPulse: (sinceDay: string) => Promise<readonly PulseCount[]>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createDeskHistory(store: ContentStore): DeskHistory {
  return {
    read: async () => atRevision(await store.readHistory()),
    async update<T extends DeskOutcome>(change: (seen: HistoryAtRevision) => T) {
      const outcome = await store.updateHistory((history) => {
        const result = change(atRevision(history));
        // To the store, a refusal is a change of nothing.
        return { history: 'history' in result ? result.history : history, result };
      });
      if ('refusal' in outcome.result) throw outcome.result.refusal;
      const made = outcome.result as Exclude<T, { readonly refusal: DeskError }>;
      return { ...made, revision: revisionOf(outcome.history) };
    },
  };
}

function atRevision(history: HistoryFile): HistoryAtRevision {
  return { history, revision: revisionOf(history) };
}

function revisionOf({ announcements, changes }: HistoryFile): string {
  // A text from the disk may have its fields in another order.
  const values = announcements.map((entry) => fieldNames.map((name) => entry[name] ?? null));
  return `${changes.length}-${shortHash(JSON.stringify(values))}`;
}

/** Revision of the allow-list: it differs for other entries or another order. */
export function originsRevision(origins: readonly string[]): string {
  return shortHash(origins.join('\n'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The refusal if `If-Match` names an outdated revision; it says what was changed in the meantime. */
export function findConflict(
  ifMatch: string | undefined,
  { history, revision }: HistoryAtRevision,
): DeskError | undefined {
  if (ifMatch === undefined || isMatchHit(ifMatch, `"${revision}"`)) return undefined;
  const [, seen] = /^"?(\d{1,9})-[\w-]{22}"?$/.exec(ifMatch.trim()) ?? [];
  const what = seen === undefined ? undefined : describeSince(numberedChanges(history.changes), Number(seen));
  return changedMeanwhile(what ?? 'by hand, in the file itself', revision);
}

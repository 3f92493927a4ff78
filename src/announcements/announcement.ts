import type { FieldName, PublicName, StoredAnnouncement } from './fields.ts';
import { spellingProblem } from './values/markdown.ts';

export type { StoredAnnouncement };

export const actions = ['publish', 'edit', 'expire', 'withdraw', 'undo'] as const;
export type Action = (typeof actions)[number];

/** One line of the log. Its number is its position in the log, counted from 1. */
export interface Change {
  readonly at: string;
  readonly by: string;
  readonly action: Action;
  readonly id: string;
  readonly before: StoredAnnouncement | null;
  readonly after: StoredAnnouncement | null;
  /** Only in an undo: the number of the change that it reverts. */
  readonly undoes?: number;
  /** The request that made it, so that a repetition of the request is recognised. Not shown to people. */
  readonly request?: string;
}

/** Announcements and the log of their changes, from which undo works. */
export interface HistoryFile {
  readonly version: 1;
  readonly announcements: readonly StoredAnnouncement[];
  readonly changes: readonly Change[];
}

/** The answer of `/content/announcement.json`. `expires` is the real end, even if an editor ended it. */
export type PublicAnnouncement = Pick<
  StoredAnnouncement,
  'id' | 'message' | 'link' | 'published' | 'expires' | PublicName
>;

export const emptyHistory: HistoryFile = { version: 1, announcements: [], changes: [] };

export function inconsistencies(
  entry: StoredAnnouncement,
): { readonly field: FieldName; readonly problem: string }[] {
  const { published, expires, expired } = entry;
  const found: ReturnType<typeof inconsistencies> = [];
  if (published >= expires) found.push({ field: 'expires', problem: 'expires must be after published' });
  if (expired !== undefined && published > expired)
    found.push({ field: 'expired', problem: 'expired must not be before published' });
  const problem = spellingProblem(entry);
  if (problem !== undefined) found.push({ field: 'message', problem });
  return found;
}

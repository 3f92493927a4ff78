import type { HistoryFile } from '../../../announcements/announcement.ts';
import type { AnnouncementEdit, Made, NewAnnouncement } from '../../../announcements/changes/history-edit.ts';
import type { Undone } from '../../../announcements/changes/history-undo.ts';
import type { Stats } from '../../../announcements/reader-statistics.ts';
import type { DeskPlace } from '../../display/desk-place.ts';
import type { ServerView } from '../../servers/server-check.ts';

/** What an editor wants done with one announcement. */
export type ChangeRequest =
  | {
      readonly kind: 'publish';
      readonly draft: NewAnnouncement;
      /** Whether the end was given as a span: then it counts from the start, by the clock of the machine that makes the change. */
      readonly isSpan?: boolean;
    }
  | {
      readonly kind: 'edit';
      readonly id: string;
      readonly changes: AnnouncementEdit;
      /** What the editor looked at: refused where somebody else has changed this announcement since. Undefined: whatever it is. */
      readonly seen?: SeenHistory | undefined;
    }
  /** `at` in epoch milliseconds; undefined: now. */
  | { readonly kind: 'expire'; readonly id: string; readonly at: number | undefined }
  | { readonly kind: 'withdraw'; readonly id: string };

export interface SeenHistory {
  readonly history: HistoryFile;
  /** Names the state on a server; elsewhere the history itself says what it was. */
  readonly revision?: string;
}

/** What was changed, and in what. */
export interface DeskChange {
  readonly made: Made;
  readonly before: HistoryFile;
  /** Epoch milliseconds by the clock that the change was made by. */
  readonly now: number;
}

/**
 * Where an editor works: on a content folder, on a store that servers share, or on a server elsewhere. Whatever cannot be done is a
 * RefusedError (or a ContentError) in the same words everywhere, and has changed nothing.
 */
export interface Desk {
  readonly place: DeskPlace;
  /** Whose counters `stats` reads, for a sentence: `in /data (--data names another folder)`. */
  readonly counters: string;
  read(): Promise<SeenHistory>;
  /** The name under which changes are in the log. */
  editor(): Promise<string>;
  /** @param now epoch milliseconds */
  change(request: ChangeRequest, now: number): Promise<DeskChange>;
  /** Takes back the change with that number. */
  undo(number: number, now: number): Promise<{ readonly undone: Undone; readonly before: HistoryFile }>;
  /** How often announcements were shown on the last days in UTC, today included; of one where an id is given. */
  stats(days: number, id: string | undefined): Promise<Stats>;
  origins(): Promise<readonly string[]>;
  /** In the spelling that browsers send. What is on the list stays as it is. */
  addOrigins(
    entries: readonly string[],
  ): Promise<{ readonly added: readonly string[]; readonly origins: readonly string[] }>;
  /** All of them or none. Resolves to what is left. */
  removeOrigins(entries: readonly string[]): Promise<readonly string[]>;
  /** Servers that should show this now, and whether they do. */
  views(history: HistoryFile): Promise<readonly ServerView[]>;
}

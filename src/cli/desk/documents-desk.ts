import type { HistoryFile } from '../../announcements/announcement.ts';
import type { Made } from '../../announcements/changes/history-edit.ts';
import { type Undone, undo } from '../../announcements/changes/history-undo.ts';
import { lastDays, toStats } from '../../announcements/reader-statistics.ts';
import type { ContentStore } from '../../server/stores/content/content-store.ts';
import type { PulseCount } from '../../server/stores/pulse.ts';
import type { ServerView } from '../servers/server-check.ts';
import { applyRequest } from './port/change-request.ts';
import type { Desk } from './port/desk.ts';
import { missingOrigins, unlessRefused } from './port/refused-outcome.ts';

/** What the badge has counted. */
export interface Counters {
  /** Where they are, for a sentence: `in /data (--data names another folder)`. */
  readonly place: string;
  /** What was counted from that day (`YYYY-MM-DD`, UTC) on. */
  read(sinceDay: string): Promise<readonly PulseCount[]>;
}

export interface DocumentsDeskOptions {
  readonly store: ContentStore;
  /** Who is in the log. */
  readonly editor: () => string;
  readonly counters: Counters;
  readonly views: (history: HistoryFile) => Promise<readonly ServerView[]>;
  readonly now: () => number;
}

/** A desk on the texts of a content folder or of a store. */
export function createDocumentsDesk(options: DocumentsDeskOptions): Desk {
  const { store, editor, counters, views, now: clock } = options;
  const { kind, name } = store.content;
  return {
    place: { kind, name },
    counters: counters.place,
    read: async () => ({ history: await store.readHistory() }),
    editor: async () => editor(),
    async change(request, now) {
      const stamp = { by: editor(), at: now };
      let before: HistoryFile | undefined;
      const outcome = await store.updateHistory((history) => {
        before = history;
        return applyRequest(history, request, stamp);
      });
      const made: Made = unlessRefused(outcome);
      return { made, before: before as HistoryFile, now };
    },
    async undo(number, now) {
      const stamp = { by: editor(), at: now };
      let before: HistoryFile | undefined;
      const outcome = await store.updateHistory((history) => {
        before = history;
        return undo(history, number, stamp);
      });
      const undone: Undone = unlessRefused(outcome);
      return { undone, before: before as HistoryFile };
    },
    async stats(count, id) {
      const days = lastDays(count, clock());
      const [first = '', last = ''] = [days[0], days.at(-1)];
      const counts = (await counters.read(first)).filter(
        ({ day, announcement }) => day <= last && (id === undefined || announcement === id),
      );
      return toStats(counts, days, await store.readHistory());
    },
    origins: async () => (await store.readOrigins()).map(({ entry }) => entry),
    addOrigins: (entries) =>
      store.updateOrigins((before) => {
        const added = [...new Set(entries)].filter((entry) => !before.includes(entry));
        return { added, origins: added.length === 0 ? before : [...before, ...added] };
      }),
    async removeOrigins(entries) {
      const outcome = await store.updateOrigins((before) => {
        const problem = missingOrigins(entries, before);
        if (problem !== undefined) return { problem };
        return { origins: before.filter((entry) => !entries.includes(entry)) };
      });
      return unlessRefused(outcome).origins;
    },
    views,
  };
}

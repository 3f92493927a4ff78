import { setImmediate as nextTurn } from 'node:timers/promises';
import { numberedChanges } from '../../../announcements/changes/change-log.ts';
import { toKnownFields, toListed } from '../../../announcements/listing.ts';
import { lastDays, toStats } from '../../../announcements/reader-statistics.ts';
import {
  type AnnouncementState,
  currentAnnouncement,
  latestStates,
} from '../../../announcements/schedule.ts';
import type { AnnouncementList, ChangeLog, ListState } from '../../../contract/desk-types.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import type { PulseCount } from '../../stores/pulse-tally.ts';
import { parseDeskQuery, toListPart } from '../requests/desk-query.ts';
import type { DeskHistory } from '../revisions/desk-history.ts';
import { type EditorHandler, tagOf } from './own-request.ts';

export interface ListOptions {
  readonly desk: DeskHistory;
  /** Counts since that day (`YYYY-MM-DD`, UTC), inclusive. */
  readonly readPulse: (sinceDay: string) => Promise<readonly PulseCount[]>;
  readonly clock: () => number;
}

/** The handlers that only read. */
export function createListHandlers({ desk, readPulse, clock }: ListOptions) {
  const announcements: EditorHandler = async ({ context, editor }) => {
    const query = parseDeskQuery(context.query);
    const { history, revision } = await desk.read();
    const now = clock();
    const listed = latestStates(history, now).filter(({ state }) => isIn(query.state ?? 'all', state));
    await nextTurn();
    const { entries, next } = toListPart(listed, ({ entry }) => entry.id, query);
    const list: AnnouncementList = {
      announcements: entries.map(toListed),
      total: listed.length,
      current: currentAnnouncement(history, now)?.id ?? null,
      editor: editor.name,
      ...(next === undefined ? {} : { next }),
    };
    return toJsonReply(200, list, tagOf(revision));
  };

  const changes: EditorHandler = async ({ context }) => {
    const { history, revision } = await desk.read();
    const log = numberedChanges(history.changes).reverse();
    const { entries, next } = toListPart(log, ({ number }) => String(number), parseDeskQuery(context.query));
    const answer: ChangeLog = {
      changes: entries.map(({ before, after, ...change }) => ({
        ...change,
        before: before && toKnownFields(before),
        after: after && toKnownFields(after),
      })),
      total: log.length,
      ...(next === undefined ? {} : { next }),
    };
    return toJsonReply(200, answer, tagOf(revision));
  };

  const stats: EditorHandler = async ({ context }) => {
    const { days: count = 30, id } = parseDeskQuery(context.query);
    const days = lastDays(count, clock());
    const [first = '', last = ''] = [days[0], days.at(-1)];
    const counts = (await readPulse(first)).filter(
      ({ day, announcement }) => day <= last && (id === undefined || announcement === id),
    );
    return toJsonReply(200, toStats(counts, days, (await desk.read()).history));
  };

  return { announcements, changes, stats };
}

function isIn(wanted: ListState, state: AnnouncementState): boolean {
  if (wanted === 'all') return true;
  const isPast = state !== 'active' && state !== 'scheduled';
  return wanted === 'past' ? isPast : wanted === state;
}

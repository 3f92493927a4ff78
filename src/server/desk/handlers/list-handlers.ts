import { setImmediate as nextTurn } from 'node:timers/promises';
import { type NumberedChange, numberedChanges } from '../../../announcements/changes/change-log.ts';
import { toKnownFields, toListed } from '../../../announcements/listing.ts';
import { lastDays, toStats } from '../../../announcements/reader-statistics.ts';
import {
  type AnnouncementState,
  currentAnnouncement,
  latestStates,
} from '../../../announcements/schedule.ts';
import type { AnnouncementList, ChangeLog, ListState, LoggedChange } from '../../../contract/desk-types.ts';
import { type Reply, toJsonReply, toSerialisedReply } from '../../http/replies/reply.ts';
import type { PulseCount } from '../../stores/pulse.ts';
import { parseDeskQuery } from '../requests/desk-query.ts';
import { toListPage } from '../requests/list-page.ts';
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
    const { entries, next } = toListPage(
      { items: listed, nameOf: ({ entry }) => entry.id, toEntry: toListed },
      query,
    );
    const rest: Omit<AnnouncementList, 'announcements'> = {
      total: listed.length,
      current: currentAnnouncement(history, now)?.id ?? null,
      editor: editor.name,
      ...(next === undefined ? {} : { next }),
    };
    return toListReply('announcements', entries, rest, revision);
  };

  const changes: EditorHandler = async ({ context }) => {
    const { history, revision } = await desk.read();
    const log = numberedChanges(history.changes).reverse();
    const { entries, next } = toListPage(
      { items: log, nameOf: ({ number }) => String(number), toEntry: toLogged },
      parseDeskQuery(context.query),
    );
    const rest: Omit<ChangeLog, 'changes'> = {
      total: log.length,
      ...(next === undefined ? {} : { next }),
    };
    return toListReply('changes', entries, rest, revision);
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

function toLogged({ before, after, ...change }: NumberedChange): LoggedChange {
  return { ...change, before: before && toKnownFields(before), after: after && toKnownFields(after) };
}

/** @param entries as JSON, separated by commas */
function toListReply(name: string, entries: string, rest: object, revision: string): Reply {
  const body = `{"${name}":[${entries}],${JSON.stringify(rest).slice(1)}`;
  return toSerialisedReply(200, body, tagOf(revision));
}

function isIn(wanted: ListState, state: AnnouncementState): boolean {
  if (wanted === 'all') return true;
  const isPast = state !== 'active' && state !== 'scheduled';
  return wanted === 'past' ? isPast : wanted === state;
}

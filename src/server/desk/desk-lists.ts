import { type NumberedChange, numberedChanges } from '../../announcements/changes/change-log.ts';
import { fieldNames, setFields } from '../../announcements/fields.ts';
import { lastDays, statistics } from '../../announcements/reader-statistics.ts';
import {
  currentAnnouncement,
  type EntryState,
  latestStates,
  listedAnnouncement,
} from '../../announcements/schedule.ts';
import type { AnnouncementList, ChangeLog, DeskQuery } from '../../contract/desk-types.ts';
import { successionOf } from './desk-changes.ts';
import { type DeskParts, revisionOf } from './desk-history.ts';
import { invalid } from './desk-refusals.ts';
import { answerOf, type DeskAnswer, type DeskRequest, parseQuery } from './desk-request.ts';

/** The requests that only read announcements, their log and their counters. */
export function createDeskLists({ store, readPulse, clock }: DeskParts) {
  return {
    async announcements(request: DeskRequest): Promise<DeskAnswer> {
      const query = parseQuery(request);
      const history = await store.readHistory();
      const now = clock();
      const { state = 'all', id } = query;
      const states = latestStates(history, now).filter(
        (listed) =>
          (id === undefined || listed.entry.id === id) && (state === 'all' || groupOf(listed) === state),
      );
      const listed = query.order === 'reading' ? inReadingOrder(states) : states;
      const { entries, next } = pageOf(listed, ({ entry }) => entry.id, listedAnnouncement, query);
      const body: AnnouncementList = {
        announcements: entries,
        total: listed.length,
        current: currentAnnouncement(history, now)?.id ?? null,
        editor: request.editor.name,
        ...(id === undefined || listed.length === 0 ? {} : { succession: successionOf(history, id, now) }),
        ...next,
      };
      return answerOf(body, revisionOf(history));
    },

    async changes(request: DeskRequest): Promise<DeskAnswer> {
      const query = parseQuery(request);
      const history = await store.readHistory();
      const log = numberedChanges(history.changes)
        .filter(({ id }) => query.id === undefined || id === query.id)
        .reverse();
      const { entries, next } = pageOf(log, ({ number }) => String(number), loggedChange, query);
      const body: ChangeLog = { changes: entries, total: log.length, ...next };
      return answerOf(body, revisionOf(history));
    },

    async stats(request: DeskRequest): Promise<DeskAnswer> {
      const { days: count = 30, id } = parseQuery(request);
      const days = lastDays(count, clock());
      const [first = '', last = ''] = [days[0], days.at(-1)];
      const counts = (await readPulse(first)).filter(
        ({ day, announcement }) => day <= last && (id === undefined || announcement === id),
      );
      return answerOf(statistics(counts, days, await store.readHistory()));
    },
  };
}

function loggedChange({ before, after, ...change }: NumberedChange): NumberedChange {
  return {
    ...change,
    before: before && setFields(before, fieldNames),
    after: after && setFields(after, fieldNames),
  };
}

function groupOf({ state }: EntryState): 'active' | 'scheduled' | 'past' {
  return state === 'active' || state === 'scheduled' ? state : 'past';
}

/** Active ones, then scheduled ones (soonest first), then past ones (latest first). */
function inReadingOrder(latestFirst: readonly EntryState[]): EntryState[] {
  const of = (group: ReturnType<typeof groupOf>) => latestFirst.filter((listed) => groupOf(listed) === group);
  return [...of('active'), ...of('scheduled').reverse(), ...of('past')];
}

const defaultPageSize = 100;

/**
 * The page of a list after the entry with the name `after`, at most `limit` entries. `next` is the name
 * of its last entry if there are more. Throws a 400 if there is no entry `after`.
 */
function pageOf<Item, Entry>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  entryOf: (item: Item) => Entry,
  { limit = defaultPageSize, after }: Pick<DeskQuery, 'limit' | 'after'>,
): { readonly entries: readonly Entry[]; readonly next: { readonly next?: string } } {
  const first = after === undefined ? 0 : items.findIndex((item) => nameOf(item) === after) + 1;
  if (after !== undefined && first === 0)
    throw invalid('after names nothing in this list; leave it out to start at the beginning');
  const page = items.slice(first, first + limit);
  const end = page.at(-1);
  const hasMore = first + page.length < items.length && end !== undefined;
  return { entries: page.map(entryOf), next: hasMore ? { next: nameOf(end) } : {} };
}

import { type NumberedChange, numberedChanges } from '../../announcements/changes/change-log.ts';
import { fieldNames, setFields } from '../../announcements/fields.ts';
import { isListed } from '../../announcements/listed-sites.ts';
import { newFieldProblem } from '../../announcements/plain-values.ts';
import { lastDays, statistics } from '../../announcements/reader-statistics.ts';
import { nextActiveChange, parseReader, readerEntries } from '../../announcements/reader-view.ts';
import {
  currentAnnouncement,
  type EntryState,
  latestStates,
  listedAnnouncement,
} from '../../announcements/schedule.ts';
import { instantText } from '../../announcements/times/instant.ts';
import { parseStart } from '../../announcements/times/moment.ts';
import {
  type AnnouncementList,
  type ChangeLog,
  type DeskQuery,
  OriginRequestSchema,
  type Preview,
} from '../../contract/desk-types.ts';
import { parseOriginPattern } from '../../kit/origin-pattern.ts';
import { createDeskChanges, requireRevision, revisionOf } from './desk-changes.ts';
import {
  answerOf,
  type DeskAnswer,
  type DeskApi,
  type DeskParts,
  type DeskRequest,
} from './desk-operations.ts';
import { fieldError, invalid, refused, required } from './desk-refusals.ts';
import { deskQuery, hash, parseBody } from './desk-request.ts';

/**
 * The only way to change announcements and the allow-list. Loaded lazily: it needs much code that nothing
 * else in a server uses, such as that of time zones.
 */
export function createDeskApi(parts: DeskParts): DeskApi {
  const { store, readPulse, clock } = parts;

  /** Changes the allow-list, if `If-Match` names the current one. `apply` has no effects: it may run again. */
  const changeOrigins = async (
    request: DeskRequest,
    verb: 'added' | 'removed',
    apply: (origins: readonly string[], entry: string) => readonly string[],
  ): Promise<DeskAnswer> => {
    // The spelling that browsers send, so that no site is on the list twice.
    const pattern = parseOriginPattern(parseBody(OriginRequestSchema, request).origin);
    if ('problem' in pattern) throw invalid(pattern.problem);
    const { entry } = pattern;
    const { origins, isNew } = await store.updateOrigins((before) => {
      requireRevision(
        request.ifMatch,
        originsRevision(before),
        () => 'the allow-list is not the one that If-Match names',
      );
      const origins = apply(before, entry);
      return { origins, isNew: origins !== before };
    });
    return originsAnswer(origins, isNew ? `origin ${entry} ${verb}` : undefined);
  };

  return {
    ...createDeskChanges(parts),

    async listAnnouncements(request: DeskRequest): Promise<DeskAnswer> {
      const query = deskQuery(request);
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
        ...next,
      };
      return answerOf(body, revisionOf(history));
    },

    async listChanges(request: DeskRequest): Promise<DeskAnswer> {
      const query = deskQuery(request);
      const history = await store.readHistory();
      const log = numberedChanges(history.changes)
        .filter(({ id }) => query.id === undefined || id === query.id)
        .reverse();
      const { entries, next } = pageOf(log, ({ number }) => String(number), loggedChange, query);
      const body: ChangeLog = { changes: entries, total: log.length, ...next };
      return answerOf(body, revisionOf(history));
    },

    async readReaderStatistics(request: DeskRequest): Promise<DeskAnswer> {
      const { days: count = 30, id } = deskQuery(request);
      const days = lastDays(count, clock());
      const [first = '', last = ''] = [days[0], days.at(-1)];
      const counts = (await readPulse(first)).filter(
        ({ day, announcement }) => day <= last && (id === undefined || announcement === id),
      );
      return answerOf(statistics(counts, days, await store.readHistory()));
    },

    async previewBadge(request: DeskRequest): Promise<DeskAnswer> {
      const { at = 'now', ...page } = deskQuery(request);
      const reader = required(parseReader(page));
      const moment = parseStart(at, { zone: 'UTC', now: clock() });
      if ('problem' in moment) throw fieldError([newFieldProblem('at', moment)]);
      const { instant } = moment;
      const history = await store.readHistory();
      const origins = (await store.readOrigins()).map(({ entry }) => entry);
      const siteListed = reader.site === undefined ? null : isListed(reader.site, origins);
      const entries = readerEntries(history, reader, instant);
      const shown = siteListed === false ? undefined : entries.find(({ entry }) => entry.place === 'shown');
      const reason =
        siteListed === false
          ? `${reader.site} is not on the allow-list, so readers there see only the logo.`
          : entries.length === 0
            ? 'No announcement is active.'
            : 'No active announcement is for this page.';
      const words = Object.entries(shown?.words ?? {}).filter(([, value]) => value !== undefined);
      const next = nextActiveChange(history, instant);
      const body: Preview = {
        at: instantText(instant),
        announcement:
          shown === undefined
            ? null
            : ({ ...shown.entry, ...Object.fromEntries(words) } as NonNullable<Preview['announcement']>),
        reason: shown === undefined ? reason : `${shown.entry.id} is ${shown.entry.reason}.`,
        others: entries.filter((each) => each !== shown).map(({ entry }) => entry),
        siteListed,
        next: next === undefined ? null : instantText(next),
      };
      return answerOf(body);
    },

    async listOrigins(): Promise<DeskAnswer> {
      return originsAnswer((await store.readOrigins()).map(({ entry }) => entry));
    },

    /** Adding an existing entry changes nothing. */
    addOrigin: (request) =>
      changeOrigins(request, 'added', (origins, entry) =>
        origins.includes(entry) ? origins : [...origins, entry],
      ),

    removeOrigin: (request) =>
      changeOrigins(request, 'removed', (origins, entry) => {
        if (origins.includes(entry)) return origins.filter((other) => other !== entry);
        throw refused(`${entry} is not on the list; typebadge origins list shows it`);
      }),
  };
}

function originsAnswer(origins: readonly string[], changed?: string): DeskAnswer {
  return answerOf({ origins }, originsRevision(origins), changed);
}

/** It differs if the entries or their order do. */
function originsRevision(origins: readonly string[]): string {
  return hash(origins.join('\n'));
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
  const first = items.findIndex((item) => nameOf(item) === after) + 1;
  if (after !== undefined && first === 0)
    throw invalid('after names nothing in this list; leave it out to start at the beginning');
  const page = items.slice(first, first + limit);
  const end = page.at(-1);
  const hasMore = first + page.length < items.length && end !== undefined;
  return { entries: page.map(entryOf), next: hasMore ? { next: nameOf(end) } : {} };
}

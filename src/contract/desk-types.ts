// Requests and answers of the editors' API: one schema each.
import * as v from 'valibot';
import type { Action, StoredAnnouncement } from '../announcements/announcement.ts';
import type { NumberedChange } from '../announcements/changes/change-log.ts';
import { fieldOf } from '../announcements/fields.ts';
import { plainNames } from '../announcements/plain-values.ts';
import type { AnnouncementState } from '../announcements/schedule.ts';
import { AnnouncementIdSchema, PublicAnnouncementSchema } from './badge-types.ts';
import { maxLengthOf, wholeBetween } from './values.ts';

const instant = v.pipe(v.string(), v.isoTimestamp('must be an instant'));
const states = ['active', 'scheduled', 'superseded', 'expired', 'ended', 'withdrawn'] as const;

const { expires: _, ...publicEntries } = PublicAnnouncementSchema.entries;

const storedEntries = {
  ...publicEntries,
  expires: v.pipe(instant, v.description('When it ends by itself.')),
  expired: v.exactOptional(v.pipe(instant, v.description('When an editor ended it, before `expires`.'))),
  withdrawn: v.exactOptional(v.pipe(instant, v.description('When an editor withdrew it.'))),
  alongside: v.exactOptional(v.pipe(v.boolean(), v.description('Earlier ones stay active beside it.'))),
};

export const StoredAnnouncementSchema = v.object(storedEntries);

const state = v.pipe(v.picklist(states), v.description('What it is now.'));
export const DeskAnnouncementSchema = v.object({ ...storedEntries, state });

const change = v.pipe(
  v.nullable(v.number()),
  v.description('Number of the change in the log; null: nothing had to change.'),
);
const ids = (meaning: string) => v.pipe(v.array(AnnouncementIdSchema), v.description(meaning));
const idOrNull = (meaning: string) => v.pipe(v.nullable(AnnouncementIdSchema), v.description(meaning));

/** What an announcement takes the place of, and what takes its place. */
const successionEntries = {
  supersedes: ids('Ids of the earlier announcements that it takes the place of.'),
  supersededBy: v.pipe(
    v.nullable(v.object({ id: AnnouncementIdSchema, published: instant })),
    v.description('What takes its place before its end, and when.'),
  ),
};

/** What every answer to a change has beside the announcement. */
const changeEntries = {
  before: v.pipe(v.nullable(StoredAnnouncementSchema), v.description('As it was; null: it is new.')),
  ...successionEntries,
  current: idOrNull('Id of the current announcement for everyone.'),
  currentBefore: idOrNull('The same without this change.'),
  active: ids('Ids of what is active for any reader, most important first, at most 20.'),
  warnings: v.pipe(v.array(v.string()), v.description('What an editor should know, a sentence each.')),
};

export const ChangedAnnouncementSchema = v.object({ ...storedEntries, state, change, ...changeEntries });

export const AnnouncementListSchema = v.object({
  announcements: v.pipe(v.array(DeskAnnouncementSchema), v.description('Latest start first.')),
  total: v.pipe(v.number(), v.description('How many there are in that state.')),
  current: idOrNull('Id of the current announcement for everyone.'),
  editor: v.pipe(v.string(), v.description('Name of your token, as the log records it.')),
  succession: v.exactOptional(
    v.pipe(v.object(successionEntries), v.description('With `id`, if there is such an announcement.')),
  ),
  next: v.exactOptional(v.pipe(v.string(), v.description('Id to go on after; missing at the end.'))),
});

const flag = (meaning: string) =>
  v.exactOptional(v.nullable(v.pipe(v.boolean('must be true or false'), v.description(meaning))));
const text = (meaning: string) =>
  v.exactOptional(v.nullable(v.pipe(v.string('must be a text'), v.description(meaning))));
const object = (meaning: string) =>
  v.exactOptional(
    v.nullable(v.pipe(v.record(v.string(), v.unknown(), 'must be an object'), v.description(meaning))),
  );

/** The plain fields of the table, as a request gives them. */
const plainEntries: Readonly<Record<string, ReturnType<typeof text | typeof flag | typeof object>>> =
  Object.fromEntries(
    plainNames.flatMap((name) => {
      const { kind, meaning } = fieldOf(name);
      const schemaOf = { flag, nested: object, text, instant: text }[kind];
      return meaning === undefined ? [] : [[name, schemaOf(meaning)]];
    }),
  );

const words = (meaning: string) =>
  v.exactOptional(v.pipe(v.string('must be a text'), v.description(meaning)));

const momentText = 'ISO 8601 with `Z` or an offset; also a date or a time (in UTC) or a span such as `+30d`.';

export const PublishRequestSchema = v.strictObject({
  message: words('One line of 1 to 280 characters. Required without `markdown`.'),
  at: text(`When it starts: ${momentText} Default: now.`),
  expires: text(`When it ends: ${momentText} Default: 30 days after its start.`),
  id: text('A name of your own instead of the next number.'),
  ...plainEntries,
});

export const EditRequestSchema = v.pipe(
  v.strictObject({
    message: words('New words. They end the formatting.'),
    at: text(`New start, if it has not begun yet: ${momentText}`),
    expires: text(`New end: ${momentText}`),
    ...plainEntries,
  }),
  v.description(
    'What is left out stays; null takes a field away. `translations` and `audience` are merged (RFC 7396).',
  ),
);

export const ExpireRequestSchema = v.strictObject({ at: text(`When it ends: ${momentText} Default: now.`) });

export const WithdrawRequestSchema = v.strictObject({});

export const UndoRequestSchema = v.strictObject({
  change: v.exactOptional(
    v.pipe(
      v.number('must be the number of a change'),
      v.integer('must be the number of a change'),
      v.minValue(1, 'must be the number of a change'),
      v.description('Number of the change in the log. Default: the last one that is not undone.'),
    ),
  ),
});

const action = v.picklist(['publish', 'edit', 'expire', 'withdraw', 'undo']);

/** The fields of the announcement are beside the others, too, unless it is gone. */
export const UndoneSchema = v.object({
  ...v.partial(DeskAnnouncementSchema).entries,
  announcement: v.pipe(v.nullable(DeskAnnouncementSchema), v.description('Null: it is gone again.')),
  change: v.pipe(v.number(), v.description('Number of the undo itself.')),
  undone: v.pipe(v.number(), v.description('Number of the change that was undone.')),
  by: v.pipe(v.string(), v.description('The author of that change.')),
  id: v.pipe(AnnouncementIdSchema, v.description('The announcement that was changed.')),
  action: v.pipe(action, v.description('What that change had done.')),
  undoes: v.pipe(v.nullable(v.number()), v.description('If it was an undo: the change it had undone.')),
  ...changeEntries,
});

export const LoggedChangeSchema = v.object({
  number: v.number(),
  at: instant,
  by: v.string(),
  action,
  id: AnnouncementIdSchema,
  before: v.nullable(StoredAnnouncementSchema),
  after: v.nullable(StoredAnnouncementSchema),
  undoes: v.nullable(v.number()),
  undoneBy: v.pipe(v.nullable(v.number()), v.description('The undo in effect, if any.')),
});

export const ChangeLogSchema = v.object({
  changes: v.pipe(v.array(LoggedChangeSchema), v.description('The latest first.')),
  total: v.number(),
  next: v.exactOptional(v.pipe(v.string(), v.description('Number to go on after; missing at the end.'))),
});

const tally = {
  impressions: v.number(),
  clicks: v.number(),
  dismissals: v.number(),
  clickThrough: v.pipe(v.nullable(v.number()), v.description('Clicks per impression; null: never shown.')),
};
const day = v.pipe(v.string(), v.description('A day in UTC, `YYYY-MM-DD`.'));
const sites = v.array(v.object({ site: v.string(), ...tally }));

export const ReaderStatisticsSchema = v.object({
  since: day,
  until: day,
  total: v.object(tally),
  days: v.array(v.object({ day, ...tally })),
  announcements: v.array(
    v.object({
      id: AnnouncementIdSchema,
      message: v.pipe(v.nullable(v.string()), v.description('Null: no longer in the history.')),
      ...tally,
      sites,
    }),
  ),
  sites,
});

const place = v.picklist(['shown', 'next', 'behind', 'site', 'path', 'limit']);
const readerEntry = {
  id: AnnouncementIdSchema,
  message: v.pipe(v.string(), v.description('In the language of the reader, if there is a translation.')),
  rank: v.pipe(v.number(), v.description('0 for the most important one.')),
  place: v.pipe(place, v.description('Whether it is shown, or why not.')),
  after: idOrNull('What is shown before it.'),
  translated: v.boolean(),
  reason: v.string(),
};

const { published: __, translations: ___, audience: ____, ...drawnEntries } = publicEntries;

export const PreviewSchema = v.object({
  at: instant,
  announcement: v.pipe(
    v.nullable(v.object({ ...drawnEntries, severityLabel: v.exactOptional(v.string()), ...readerEntry })),
    v.description('What a reader sees who has dismissed nothing.'),
  ),
  reason: v.pipe(v.string(), v.description('Why, in a sentence.')),
  siteListed: v.pipe(v.nullable(v.boolean()), v.description('Whether the site may use the badge.')),
  next: v.pipe(v.nullable(instant), v.description('When something else will be active.')),
  others: v.array(v.object(readerEntry)),
});

export const OriginRequestSchema = v.strictObject({
  origin: v.pipe(
    v.string('must be a text'),
    maxLengthOf(300),
    v.description('`https://example.org`, or `https://*.example.org` for every subdomain.'),
  ),
});

export const OriginListSchema = v.object({ origins: v.array(v.string()) });

const maxDeskPage = 1_000;
export const listStates = ['active', 'scheduled', 'past', 'all'] as const;
const listOrders = ['start', 'reading'] as const;

export const DeskQuerySchema = v.object({
  state: v.exactOptional(
    v.pipe(
      v.picklist(listStates, `must be ${listStates.join(', ')}`),
      v.description('Default: all. `past`: superseded, expired, ended or withdrawn.'),
    ),
  ),
  limit: v.exactOptional(
    wholeBetween(1, maxDeskPage, 'How many entries at most; a page of long ones has fewer. Default: 100.'),
  ),
  after: v.exactOptional(
    v.pipe(
      v.string('must be the value of `next`'),
      v.description('Continues after that entry: the value of `next`.'),
    ),
  ),
  id: v.exactOptional(v.pipe(v.string(), v.description('Only of this announcement. Default: of all.'))),
  search: v.exactOptional(
    v.pipe(
      v.string(),
      maxLengthOf(300),
      v.description('Only with all of these words, in any language, link or audience.'),
    ),
  ),
  ending: v.exactOptional(
    v.pipe(v.string(), v.description('Only active ones that end by then: a moment, or a span.')),
  ),
  order: v.exactOptional(
    v.pipe(
      v.picklist(listOrders, `must be ${listOrders.join(', ')}`),
      v.description(
        '`start`, the default: latest start first. `reading`: active ones, then scheduled, the soonest first, then past.',
      ),
    ),
  ),
  site: v.exactOptional(
    v.pipe(v.string(), v.description('Site that a reader is on, such as https://example.org.')),
  ),
  path: v.exactOptional(v.pipe(v.string(), v.description('Path of the page that a reader is on.'))),
  lang: v.exactOptional(v.pipe(v.string(), v.description('Language of the reader, BCP 47.'))),
  at: v.exactOptional(v.pipe(v.string(), v.description('When the reader looks. Default: now.'))),
  dryRun: v.exactOptional(
    v.pipe(
      v.picklist(['true', 'false'], 'must be true or false'),
      v.description('`true`: answers what the change would be, and changes nothing.'),
    ),
  ),
  days: v.exactOptional(wholeBetween(1, 3660, 'How many days back, today included, in UTC. Default: 30.')),
});

export type DeskQuery = v.InferOutput<typeof DeskQuerySchema>;
export type DeskAnnouncement = StoredAnnouncement & { readonly state: AnnouncementState };
export interface Succession {
  readonly supersedes: readonly string[];
  readonly supersededBy: Pick<StoredAnnouncement, 'id' | 'published'> | null;
}
export interface ChangeEffect extends Succession {
  readonly before: StoredAnnouncement | null;
  readonly current: string | null;
  readonly currentBefore: string | null;
  readonly active: readonly string[];
  readonly warnings: readonly string[];
}
export type ChangedAnnouncement = DeskAnnouncement & ChangeEffect & { readonly change: number | null };
export interface AnnouncementList {
  readonly announcements: readonly DeskAnnouncement[];
  readonly total: number;
  readonly current: string | null;
  readonly editor: string;
  readonly succession?: Succession;
  readonly next?: string;
}
export interface ChangeLog {
  readonly changes: readonly NumberedChange[];
  readonly total: number;
  readonly next?: string;
}
export interface UndoneAnswer extends ChangeEffect {
  readonly announcement: DeskAnnouncement | null;
  readonly change: number;
  readonly undone: number;
  readonly by: string;
  readonly id: string;
  readonly action: Action;
  readonly undoes: number | null;
}
export type Preview = v.InferOutput<typeof PreviewSchema>;

// Requests and answers of the editors' API: one schema each.
import * as v from 'valibot';
import { actions, type StoredAnnouncement } from '../announcements/announcement.ts';
import { drawnNames, fieldOf } from '../announcements/fields.ts';
import { plainNames } from '../announcements/plain-values.ts';
import { type AnnouncementState, announcementStates } from '../announcements/schedule.ts';
import { AnnouncementIdSchema, PublicAnnouncementSchema } from './badge-types.ts';
import { described, maxLengthOf, optional, timestamp, wholeBetween } from './values.ts';

const { expires: _, ...publicEntries } = PublicAnnouncementSchema.entries;

const storedEntries = {
  ...publicEntries,
  expires: described(timestamp, 'When it ends by itself.'),
  expired: optional(timestamp, 'When an editor ended it, before `expires`.'),
  withdrawn: optional(timestamp, 'When an editor withdrew it.'),
  alongside: optional(v.boolean() as v.GenericSchema<true>, 'Earlier ones stay active beside it.'),
};

export const StoredAnnouncementSchema = v.object(storedEntries);

const state = described(v.picklist(announcementStates), 'What it is now.');
export const DeskAnnouncementSchema = v.object({ ...storedEntries, state });

const change = described(
  v.nullable(v.number()),
  'Number of the change in the log; null: nothing had to change.',
);
const ids = (meaning: string) => described(v.array(AnnouncementIdSchema), meaning);
const idOrNull = (meaning: string) => described(v.nullable(AnnouncementIdSchema), meaning);

const changeEntries = {
  before: described(v.nullable(StoredAnnouncementSchema), 'As it was; null: it is new.'),
  supersedes: ids('Ids of the earlier announcements that it replaces.'),
  current: idOrNull('Id of the current announcement for everyone.'),
  currentBefore: idOrNull('The same without this change.'),
  warnings: described(v.array(v.string()), 'What an editor should know, a sentence each.'),
};

export const ChangedAnnouncementSchema = v.object({ ...storedEntries, state, change, ...changeEntries });

export const AnnouncementListSchema = v.object({
  announcements: described(v.array(DeskAnnouncementSchema), 'Latest start first.'),
  total: described(v.number(), 'How many there are in that state.'),
  current: idOrNull('Id of the current announcement for everyone.'),
  editor: described(v.string(), 'Name of your token, as the log records it.'),
  next: optional(v.string(), 'Id to go on after; missing at the end.'),
});

const flag = (meaning: string) =>
  v.exactOptional(v.nullable(described(v.boolean('must be true or false'), meaning)));
const text = (meaning: string) => v.exactOptional(v.nullable(described(v.string('must be a text'), meaning)));
const object = (meaning: string) =>
  v.exactOptional(v.nullable(described(v.record(v.string(), v.unknown(), 'must be an object'), meaning)));

const plainEntries: Readonly<Record<string, ReturnType<typeof text | typeof flag | typeof object>>> =
  Object.fromEntries(
    plainNames.flatMap((name) => {
      const { kind, meaning } = fieldOf(name);
      const schemaOf = { flag, nested: object, text, instant: text }[kind];
      return meaning === undefined ? [] : [[name, schemaOf(meaning)]];
    }),
  );

const words = (meaning: string) => optional(v.string('must be a text'), meaning);

const momentText = 'ISO 8601 with `Z` or an offset; also a date or a time (in UTC) or a span such as `+30d`.';

export const PublishRequestSchema = v.strictObject({
  message: words('One line of 1 to 280 characters. Required without `markdown`.'),
  at: text(`When it starts: ${momentText} Default: now.`),
  expires: text(`When it ends: ${momentText} Default: 30 days after its start.`),
  id: text('A name of your own instead of the next number.'),
  ...plainEntries,
});

export const EditRequestSchema = described(
  v.strictObject({
    message: words('New words. They end the formatting.'),
    at: text(`New start, if it has not begun yet: ${momentText}`),
    expires: text(`New end: ${momentText}`),
    ...plainEntries,
  }),
  'What is left out stays; null removes a field. `translations` and `audience` are merged (RFC 7396).',
);

export const ExpireRequestSchema = v.strictObject({ at: text(`When it ends: ${momentText} Default: now.`) });

export const WithdrawRequestSchema = v.strictObject({});

export const UndoRequestSchema = v.strictObject({
  change: optional(
    v.pipe(
      v.number('must be the number of a change'),
      v.integer('must be the number of a change'),
      v.minValue(1, 'must be the number of a change'),
    ),
    'Number of the change in the log. Default: the last one that is not undone.',
  ),
});

const action = v.picklist(actions);

/** The fields of the announcement are repeated at the top level, unless it is gone. */
export const UndoneSchema = v.object({
  ...v.partial(DeskAnnouncementSchema).entries,
  announcement: described(v.nullable(DeskAnnouncementSchema), 'Null: it is gone again.'),
  change: described(v.number(), 'Number of the undo itself.'),
  undone: described(v.number(), 'Number of the change that was undone.'),
  by: described(v.string(), 'The author of that change.'),
  id: described(AnnouncementIdSchema, 'The announcement that was changed.'),
  action: described(action, 'What that change had done.'),
  undoes: described(v.nullable(v.number()), 'If it was an undo: the change it had undone.'),
  ...changeEntries,
});

export const LoggedChangeSchema = v.object({
  number: v.number(),
  at: timestamp,
  by: v.string(),
  action,
  id: AnnouncementIdSchema,
  before: v.nullable(StoredAnnouncementSchema),
  after: v.nullable(StoredAnnouncementSchema),
  undoes: v.nullable(v.number()),
  undoneBy: described(v.nullable(v.number()), 'The undo in effect, if any.'),
});

export const ChangeLogSchema = v.object({
  changes: described(v.array(LoggedChangeSchema), 'The latest first.'),
  total: v.number(),
  next: optional(v.string(), 'Number to go on after; missing at the end.'),
});

const tally = {
  impressions: v.number(),
  clicks: v.number(),
  dismissals: v.number(),
  clickThrough: described(v.nullable(v.number()), 'Clicks per impression; null: never shown.'),
};
const day = described(v.string(), 'A day in UTC, `YYYY-MM-DD`.');
const sites = v.array(v.object({ site: v.string(), ...tally }));

export const ReaderStatisticsSchema = v.object({
  since: day,
  until: day,
  total: v.object(tally),
  days: v.array(v.object({ day, ...tally })),
  announcements: v.array(
    v.object({
      id: AnnouncementIdSchema,
      message: described(v.nullable(v.string()), 'Null: no longer in the history.'),
      ...tally,
      sites,
    }),
  ),
  sites,
});

const place = v.picklist(['shown', 'next', 'behind', 'site', 'path', 'limit']);
const readerEntry = {
  id: AnnouncementIdSchema,
  message: described(v.string(), 'In the language of the reader, if there is a translation.'),
  rank: described(v.number(), '0 for the most important one.'),
  place: described(place, 'Whether it is shown, or why not.'),
  after: idOrNull('What is shown before it.'),
  translated: v.boolean(),
  reason: v.string(),
};

const { entries: drawn } = v.pick(StoredAnnouncementSchema, ['link', ...drawnNames]);

export const PreviewSchema = v.object({
  at: timestamp,
  announcement: described(
    v.nullable(v.object({ ...drawn, severityLabel: v.exactOptional(v.string()), ...readerEntry })),
    'What a reader sees who has dismissed nothing.',
  ),
  reason: described(v.string(), 'Why, in a sentence.'),
  siteListed: described(v.nullable(v.boolean()), 'Whether the site may use the badge.'),
  next: described(v.nullable(timestamp), 'When something else will be active.'),
  others: v.array(v.object(readerEntry)),
});

export const OriginRequestSchema = v.strictObject({
  origin: described(
    v.pipe(v.string('must be a text'), maxLengthOf(300)),
    '`https://example.org`, or `https://*.example.org` for every subdomain.',
  ),
});

export const OriginListSchema = v.object({ origins: v.array(v.string()) });

const maxDeskPage = 1_000;
const listStates = ['active', 'scheduled', 'past', 'all'] as const;
const listOrders = ['start', 'reading'] as const;

export const DeskQuerySchema = v.object({
  state: optional(
    v.picklist(listStates, `must be ${listStates.join(', ')}`),
    'Default: all. `past`: superseded, expired, ended or withdrawn.',
  ),
  limit: v.exactOptional(
    wholeBetween(1, maxDeskPage, 'How many entries at most; a page of long ones has fewer. Default: 100.'),
  ),
  after: optional(
    v.string('must be the value of `next`'),
    'Continues after that entry: the value of `next`.',
  ),
  id: optional(v.string(), 'Only of this announcement. Default: of all.'),
  order: optional(
    v.picklist(listOrders, `must be ${listOrders.join(', ')}`),
    '`start`, the default: latest start first. `reading`: active ones, then scheduled, the soonest first, then past.',
  ),
  site: optional(v.string(), 'Site that a reader is on, such as https://example.org.'),
  path: optional(v.string(), 'Path of the page that a reader is on.'),
  lang: optional(v.string(), 'Language of the reader, BCP 47.'),
  at: optional(v.string(), 'When the reader opens the page. Default: now.'),
  dryRun: optional(
    v.picklist(['true', 'false'], 'must be true or false'),
    '`true`: answers what the change would be, and changes nothing.',
  ),
  days: v.exactOptional(wholeBetween(1, 3660, 'How many days back, today included, in UTC. Default: 30.')),
});

export type DeskQuery = v.InferOutput<typeof DeskQuerySchema>;
/** A parsed answer, deeply readonly. */
export type Answer<Schema extends v.GenericSchema> = Frozen<v.InferOutput<Schema>>;
type Frozen<T> = T extends object ? { readonly [N in keyof T]: Frozen<T[N]> } : T;

export type DeskAnnouncement = StoredAnnouncement & { readonly state: AnnouncementState };
export type ChangedAnnouncement = Answer<typeof ChangedAnnouncementSchema>;
export type ChangeEffect = Pick<ChangedAnnouncement, keyof typeof changeEntries>;
export type AnnouncementList = Answer<typeof AnnouncementListSchema>;
export type ChangeLog = Answer<typeof ChangeLogSchema>;
export type UndoneAnswer = Answer<typeof UndoneSchema>;
export type Preview = v.InferOutput<typeof PreviewSchema>;

// Requests and answers of the editors' API: one schema each.
import * as v from 'valibot';
import type { HistoryFile, StoredAnnouncement } from '../announcements/announcement.ts';
import type { AnnouncementState } from '../announcements/schedule.ts';
import { PublicAnnouncementSchema } from './badge-types.ts';

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
const warnings = v.pipe(v.array(v.string()), v.description('What an editor should know, a sentence each.'));

export const ChangedAnnouncementSchema = v.object({ ...storedEntries, state, change, warnings });

export const AnnouncementListSchema = v.object({
  announcements: v.pipe(v.array(DeskAnnouncementSchema), v.description('Latest start first.')),
  total: v.pipe(v.number(), v.description('How many there are in that state.')),
  current: v.pipe(v.nullable(v.string()), v.description('Id of the current announcement for everyone.')),
  editor: v.pipe(v.string(), v.description('Name of your token, as the log records it.')),
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

const plainEntries = {
  link: text('Where a click leads; empty: nowhere.'),
  alongside: flag('Leaves earlier announcements active beside it.'),
  severity: text('`info`, `success`, `warning` or `critical`.'),
  dismissible: flag('Whether readers can close it.'),
  linkLabel: text('Words of the link, 1 to 40 characters.'),
  translations: object('By BCP 47 language: `message`, and `link` and `linkLabel` where they are others.'),
  audience: object('`sites`: origins; `paths`: patterns with `*`. Missing: everyone.'),
};

const momentText = 'ISO 8601 with `Z` or an offset; also a date or a time (in UTC) or a span such as `+30d`.';

export const PublishRequestSchema = v.strictObject({
  message: v.pipe(v.string('must be a text'), v.description('One line of 1 to 280 characters.')),
  at: text(`When it starts: ${momentText} Default: now.`),
  expires: text(`When it ends: ${momentText} Default: 30 days after its start.`),
  id: text('A name of your own instead of the next number.'),
  ...plainEntries,
});

export const EditRequestSchema = v.pipe(
  v.strictObject({
    message: v.exactOptional(v.pipe(v.string('must be a text'), v.description('New words.'))),
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

export const UndoneSchema = v.object({
  announcement: v.pipe(v.nullable(DeskAnnouncementSchema), v.description('Null: it is gone again.')),
  change: v.pipe(v.number(), v.description('Number of the undo itself.')),
  undone: v.pipe(v.number(), v.description('Number of the change that was undone.')),
  by: v.pipe(v.string(), v.description('Who had made that change.')),
});

export const LoggedChangeSchema = v.object({
  number: v.number(),
  at: instant,
  by: v.string(),
  action: v.picklist(['publish', 'edit', 'expire', 'withdraw', 'undo']),
  id: v.string(),
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
      id: v.string(),
      message: v.pipe(v.nullable(v.string()), v.description('Null: no longer in the history.')),
      ...tally,
      sites,
    }),
  ),
  sites,
});

export const OriginRequestSchema = v.strictObject({
  origin: v.pipe(
    v.string('must be a text'),
    v.maxLength(300, 'must have at most 300 characters'),
    v.description('`https://example.org`, or `https://*.example.org` for every subdomain.'),
  ),
});

export const OriginListSchema = v.object({ origins: v.array(v.string()) });

const longestDeskPage = 1_000;
const page = `must be a whole number from 1 to ${longestDeskPage}`;
export const listStates = ['active', 'scheduled', 'past', 'all'] as const;
export type ListState = (typeof listStates)[number];

export const DeskQuerySchema = v.object({
  state: v.exactOptional(
    v.pipe(
      v.picklist(listStates, `must be ${listStates.join(', ')}`),
      v.description('Default: all. `past`: superseded, expired, ended or withdrawn.'),
    ),
  ),
  limit: v.exactOptional(
    v.pipe(
      v.number(page),
      v.integer(page),
      v.minValue(1, page),
      v.maxValue(longestDeskPage, page),
      v.description('How many entries at most; a page of long ones has fewer. Default: 100.'),
    ),
  ),
  after: v.exactOptional(
    v.pipe(
      v.string('must be the value of `next`'),
      v.description('Continues after that entry: the value of `next`.'),
    ),
  ),
  id: v.exactOptional(v.pipe(v.string(), v.description('Only of this announcement. Default: of all.'))),
  days: v.exactOptional(
    v.pipe(
      v.number('must be a whole number from 1 to 3660'),
      v.integer('must be a whole number from 1 to 3660'),
      v.minValue(1, 'must be a whole number from 1 to 3660'),
      v.maxValue(3660, 'must be a whole number from 1 to 3660'),
      v.description('How many days back, today included, in UTC. Default: 30.'),
    ),
  ),
});

export type PublishRequest = v.InferOutput<typeof PublishRequestSchema>;
export type EditRequest = v.InferOutput<typeof EditRequestSchema>;
export type DeskAnnouncement = StoredAnnouncement & { readonly state: AnnouncementState };
export type ChangedAnnouncement = DeskAnnouncement & {
  readonly change: number | null;
  readonly warnings: readonly string[];
};
export interface AnnouncementList {
  readonly announcements: readonly DeskAnnouncement[];
  readonly total: number;
  readonly current: string | null;
  readonly editor: string;
  readonly next?: string;
}
export interface LoggedChange extends Omit<HistoryFile['changes'][number], 'undoes' | 'request'> {
  readonly number: number;
  readonly undoes: number | null;
  readonly undoneBy: number | null;
}
export interface ChangeLog {
  readonly changes: readonly LoggedChange[];
  readonly total: number;
  readonly next?: string;
}
export interface UndoneAnswer {
  readonly announcement: DeskAnnouncement | null;
  readonly change: number;
  readonly undone: number;
  readonly by: string;
}

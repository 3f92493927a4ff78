import { unlistedSites } from '../../announcements/listed-sites.ts';
import { isSameValue } from '../../announcements/values/object-parts.ts';
import type { AnnouncementList, ChangedAnnouncement, ChangeEffect } from '../../contract/desk-types.ts';
import {
  type AnnouncementJson,
  announcementJson,
  describeAnnouncement,
  formatRelative,
  withLocalClock,
} from '../display/announcement-text.ts';
import { drawBadge } from '../display/badge-drawing.ts';
import { RefusedError } from '../program/command-io.ts';
import type { Paint } from '../program/paint.ts';
import type { Report } from '../program/report.ts';
import type { ServerView } from '../servers/running-servers.ts';
import type { Answered, Desk } from './desk.ts';
import { commandAt, type DeskPlace, describeWhere, type OpenDesk } from './desk-place.ts';

/** Waits for a change, then asks the servers whether they show it, and reports both. */
export async function reportChange(
  desk: OpenDesk,
  change: Promise<Answered<ChangedAnnouncement>>,
  view: ChangeView,
): Promise<Report> {
  const { value: answer, date: now = view.now } = await change.catch((error) =>
    Promise.reject(withLocalTimes(error, view.zone)),
  );
  const servers = view.dryRun ? [] : await desk.views();
  const notes = await warningsOfSites(desk, answer);
  return changeReport(desk.place, answer, servers, notes, { ...view, now });
}

/** Translates the times in a refusal from UTC to the editor's zone. */
export function withLocalTimes(error: unknown, zone: string): unknown {
  return error instanceof RefusedError ? new RefusedError(withLocalClock(error.message, zone)) : error;
}

/** On sites that no entry of the list lets in, nobody sees the announcement. */
async function warningsOfSites(desk: OpenDesk, { state, audience }: ChangedAnnouncement): Promise<string[]> {
  const sites = state === 'active' || state === 'scheduled' ? (audience?.sites ?? []) : [];
  if (sites.length === 0) return [];
  // A list that cannot be read says nothing about a change that is made by now: other commands report it.
  const unlisted = unlistedSites(sites, await desk.origins().catch(() => sites));
  if (unlisted.length === 0) return [];
  const add = commandAt(desk.place, 'origins', 'add', ...unlisted);
  return [`the badge shows nothing on sites that are not on the allow-list; to add them: ${add}`];
}

/** Edits an announcement as it was seen. Refused if somebody else has changed it since. */
export async function editSeen(
  desk: Desk,
  id: string,
  body: object,
  { seen, dryRun }: { readonly seen: Answered<AnnouncementList>; readonly dryRun: boolean },
): Promise<Answered<ChangedAnnouncement>> {
  const present = await desk.list({ id });
  if (!isSameValue(storedOf(seen), storedOf(present)))
    throw new RefusedError(
      `${id} was changed meanwhile, so your change was not made: look at it (typebadge announce show ${id}), then decide`,
    );
  return desk.edit(id, body, { ifMatch: present.revision, dryRun });
}

function storedOf({ value }: Answered<AnnouncementList>): object | undefined {
  const [announcement] = value.announcements;
  return announcement && { ...announcement, state: undefined };
}

export interface ChangeView {
  readonly zone: string;
  readonly now: number;
  readonly dryRun: boolean;
  /** How the headline begins: `Published`, `Changed` … */
  readonly verb: string;
}

/**
 * The report of `publish`, `edit`, `expire` and `withdraw`.
 *
 * @param servers the running servers of this content
 * @param notes what an editor should know beside it, a sentence each
 */
function changeReport(
  place: DeskPlace,
  answer: ChangedAnnouncement,
  servers: readonly ServerView[],
  notes: readonly string[],
  view: ChangeView,
): Report {
  const announcement = announcementJson(answer);
  const warnings = [...answer.warnings, ...notes, ...warnOfServers(servers)];
  const change = view.dryRun ? null : answer.change;
  return {
    value: {
      announcement,
      change,
      dryRun: view.dryRun,
      warnings,
      content: place.name,
      servers,
    },
    warnings,
    text: (paint, columns) =>
      [
        headline(announcement, answer.change, describeWhere(place, servers), view, paint),
        ...(announcement.state === 'active' || announcement.state === 'scheduled'
          ? ['', ...drawBadge(announcement, paint, columns)]
          : []),
        '',
        ...describeAnnouncement(announcement, view, paint, columns),
        ...describeEffect(answer, view, paint),
        ...(change === null
          ? []
          : ['', paint.dim(`To take it back: ${commandAt(place, 'announce', 'undo')}`)]),
      ].join('\n'),
  };
}

function headline(
  announcement: AnnouncementJson,
  change: number | null,
  where: string,
  { dryRun, verb, now }: ChangeView,
  paint: Paint,
): string {
  const id = paint.bold(announcement.id);
  if (change === null) return `Nothing to change: ${id} already is as requested.`;
  const state = describeState(announcement, now);
  if (dryRun) return `${paint.warn('Dry run')}: nothing was changed. ${id} would be like this; it ${state}:`;
  return `${paint.good('✔')} ${verb} ${id}: it ${state}, ${where}.`;
}

function describeState({ state, published, expired }: AnnouncementJson, now: number): string {
  if (state === 'scheduled') return `starts ${formatRelative(Date.parse(published), now)}`;
  if (state === 'superseded') return 'is superseded by a later one';
  if (state === 'withdrawn') return 'is out of the public history';
  if (state === 'ended') return 'has ended, and stays in the public history';
  return state === 'active' && expired !== null
    ? `is active, and ends ${formatRelative(Date.parse(expired), now)}`
    : `is ${state}`;
}

/** The effect of the change on the current announcement. */
export function describeEffect(
  { current, currentBefore }: ChangeEffect,
  { dryRun }: Pick<ChangeView, 'dryRun'>,
  paint: Paint,
): string[] {
  if (current === currentBefore) return [];
  const verb = dryRun ? 'would be' : 'is now';
  if (current === null) return ['', paint.warn(`No announcement for everyone ${verb} current.`)];
  const instead = currentBefore === null ? '' : `, in place of ${currentBefore}`;
  return ['', `The current announcement ${verb} ${paint.bold(current)}${instead}.`];
}

/** What an editor should know before relying on it. */
export function warnOfServers(servers: readonly ServerView[]): string[] {
  const late = servers.filter(({ shows }) => !shows);
  return late.map(({ url }) => `the server at ${url} does not show the change yet`);
}

import { describeSince } from '../../announcements/changes/change-log.ts';
import { unlistedSites } from '../../announcements/listed-sites.ts';
import { isSameValue } from '../../announcements/values/object-parts.ts';
import type { AnnouncementList, ChangedAnnouncement, ChangeEffect } from '../../contract/desk-types.ts';
import {
  type AnnouncementJson,
  announcementJson,
  describeAnnouncement,
  describeSuccession,
  formatMinute,
  formatRelative,
  isToEnd,
  labelled,
  withLocalClock,
} from '../display/announcement-text.ts';
import { drawBadge } from '../display/badge-drawing.ts';
import { RefusedError } from '../program/command-io.ts';
import type { Paint } from '../program/paint.ts';
import type { Report } from '../program/report.ts';
import type { ServerView } from '../servers/running-servers.ts';
import { type Answered, type Desk, ServerRefusal } from './desk.ts';
import { commandAt, type DeskPlace, describeWhere, type OpenDesk } from './desk-place.ts';

/** Waits for a change, then asks the servers whether they show it, and reports both. */
export async function reportChange(
  desk: OpenDesk,
  kind: 'publish' | 'edit' | 'expire' | 'withdraw',
  change: Promise<Answered<ChangedAnnouncement>>,
  view: ChangeView,
): Promise<Report> {
  const { value: answer, date: now = view.now } = await change.catch((error) =>
    Promise.reject(withLocalTimes(error, view.zone)),
  );
  const servers = view.dryRun ? [] : await desk.views();
  const sites = kind === 'publish' || kind === 'edit' ? (answer.audience?.sites ?? []) : [];
  const notes = await warningsOfSites(desk, sites);
  const nextSteps = kind === 'publish' && !view.dryRun ? await findNextSteps(desk) : [];
  return changeReport({ place: desk.place, answer, servers, notes, nextSteps }, { ...view, now });
}

/** The rules say in UTC why a change cannot be; the editor means another zone, and reads that one. */
export function withLocalTimes(error: unknown, zone: string): unknown {
  return error instanceof RefusedError ? new RefusedError(withLocalClock(error.message, zone)) : error;
}

/** A list that cannot be read says nothing about a change that is made by now: other commands report it. */
const originsOf = (desk: Desk) => desk.origins().catch(() => undefined);

/** On sites that no entry of the list lets in, nobody sees the announcement. */
async function warningsOfSites(desk: OpenDesk, sites: readonly string[]): Promise<string[]> {
  const origins = sites.length === 0 ? undefined : await originsOf(desk);
  const unlisted = origins === undefined ? [] : unlistedSites(sites, origins);
  if (unlisted.length === 0) return [];
  const verb = unlisted.length === 1 ? 'is' : 'are';
  return [
    `${unlisted.join(' and ')} ${verb} not on the allow-list: until that changes (${commandAt(desk.place, 'origins', 'add', ...unlisted)}), the badge shows only its logo there`,
  ];
}

/** What is left to do after the first announcement of a folder, store or server. */
async function findNextSteps(desk: OpenDesk): Promise<string[]> {
  // A new folder holds the sample, too.
  if ((await desk.list({ limit: 1 })).value.total > 2 || (await originsOf(desk))?.length !== 0) return [];
  const add = commandAt(desk.place, 'origins', 'add', 'https://example.org');
  return [`No site is on the allow-list yet. To let one show the badge: ${add}`];
}

/** How often a change is sent again because others were faster with announcements that it does not touch. */
const maxTurns = 5;

/**
 * Edits an announcement as it was seen. Refused if somebody else has changed it since; what others did to
 * other announcements is no conflict.
 */
export async function editSeen(
  desk: Desk,
  id: string,
  body: object,
  { seen, dryRun }: { readonly seen: Answered<AnnouncementList>; readonly dryRun: boolean },
): Promise<Answered<ChangedAnnouncement>> {
  for (let present = seen, turn = 0; ; turn += 1) {
    try {
      return await desk.edit(id, body, { ifMatch: present.revision, dryRun });
    } catch (error) {
      const isLate = error instanceof ServerRefusal && error.code === 'CHANGED_MEANWHILE';
      if (!isLate || turn === maxTurns) throw error;
      present = await desk.list({ id });
      if (!isSameValue(storedOf(seen), storedOf(present))) throw await conflict(desk, id, seen.revision);
    }
  }
}

function storedOf({ value }: Answered<AnnouncementList>): object | undefined {
  const [announcement] = value.announcements;
  return announcement && { ...announcement, state: undefined };
}

async function conflict(desk: Desk, id: string, revision = ''): Promise<RefusedError> {
  const { changes } = await desk.changes({ id });
  const [, count] = /^"(\d+)-/.exec(revision) ?? [];
  const what = describeSince(changes, Number(count)) ?? 'by hand, in the file itself';
  return new RefusedError(
    `${id} was changed meanwhile: ${what}. Your change was not made: look at it (typebadge announce show ${id}), then decide`,
  );
}

export interface ChangeView {
  readonly zone: string;
  readonly now: number;
  readonly dryRun: boolean;
  /** How the headline begins: `Published`, `Changed` … */
  readonly verb: string;
}

export interface ContentChanged {
  readonly place: DeskPlace;
  readonly answer: ChangedAnnouncement;
  /** Running servers that were asked whether they show it. */
  readonly servers: readonly ServerView[];
  /** What an editor should know beside it, a sentence each. */
  readonly notes: readonly string[];
  /** What is left to do after this change, a sentence each. */
  readonly nextSteps: readonly string[];
}

/** What `publish`, `edit`, `expire` and `withdraw` say. */
function changeReport(changed: ContentChanged, view: ChangeView): Report {
  const { place, answer, servers, notes, nextSteps } = changed;
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
      servers: servers.map(serverJson),
    },
    warnings,
    text: (paint, columns) =>
      [
        headline(announcement, changed, view, paint),
        ...(announcement.state === 'active' || announcement.state === 'scheduled'
          ? ['', ...drawBadge(announcement, paint, columns)]
          : []),
        '',
        ...describeAnnouncement(announcement, view, paint, columns),
        ...describeSuccession(announcement, answer, view, paint, columns),
        ...labelled(place.kind === 'server' ? 'Server' : 'Content', place.name, paint, columns),
        ...describeEffect(answer, view, paint),
        ...describeServers(servers, effectOn(announcement, answer, view), paint),
        ...(change === null
          ? []
          : ['', `To take it back: ${commandAt(place, 'announce', 'undo')}`, ...nextSteps].map(paint.dim)),
      ].join('\n'),
  };
}

function headline(
  announcement: AnnouncementJson,
  { answer, place, servers }: ContentChanged,
  { dryRun, verb, now }: ChangeView,
  paint: Paint,
): string {
  const id = paint.bold(announcement.id);
  if (answer.change === null) return `Nothing to change: ${id} already is as requested.`;
  const state = describeState(announcement, now);
  if (dryRun) return `${paint.warn('Dry run')}: nothing was changed. ${id} would be like this; it ${state}:`;
  const where = describeWhere(place, servers);
  if (verb === 'Ended' && isToEnd(announcement, now)) {
    const until = announcement.state === 'active' ? 'is active until then' : state;
    return `${paint.good('✔')} ${id} will end ${formatRelative(Date.parse(announcement.expired), now)}: it ${until}, ${where}.`;
  }
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

/** What the change does to the one announcement that every visitor sees; servers are asked for themselves. */
export function describeEffect(
  { current, currentBefore, active }: ChangeEffect,
  { dryRun }: Pick<ChangeView, 'dryRun'>,
  paint: Paint,
): string[] {
  if (current === currentBefore) return [];
  const verb = dryRun ? 'would be' : 'is now';
  if (current === null) return ['', paint.warn(describeNone(active, verb))];
  const instead = currentBefore === null ? '' : `, in place of ${currentBefore}`;
  return ['', `The current announcement ${verb} ${paint.bold(current)}${instead}.`];
}

/** @param others ids of what is active for some readers only */
function describeNone(others: readonly string[], verb: string): string {
  if (others.length === 0) return `No announcement ${verb} current: the badge shows only its logo.`;
  const ids = others.slice(0, 3);
  const more = others.length > ids.length ? ` and ${others.length - ids.length} more` : '';
  return `No announcement for everyone ${verb} current: the badge shows only its logo, except to the readers of ${ids.join(', ')}${more}.`;
}

function effectOn(
  { id, state, published }: AnnouncementJson,
  effect: ChangeEffect,
  { zone }: ChangeView,
): string {
  if (state === 'scheduled') return `has this change; nobody sees it before ${formatMinute(published, zone)}`;
  return effect.current === id ? 'shows this' : 'has this change';
}

/** Only of servers that were seen to have it; the others are warnings. */
export function describeServers(servers: readonly ServerView[], effect: string, paint: Paint): string[] {
  const showing = servers.filter(({ shows }) => shows);
  return showing.map(({ url }) => `${paint.good('✔')} The server at ${url} ${effect}.`);
}

export function serverJson({ url, content, shows }: ServerView) {
  return { url, content, shows };
}

/** What an editor should know before relying on it. */
export function warnOfServers(servers: readonly ServerView[]): string[] {
  return servers
    .filter(({ shows }) => !shows)
    .map(({ url, content, isSame, kind }) => {
      if (isSame) return `the server at ${url} serves this ${kind} but does not show the change yet`;
      const which = content === null ? 'it seems to serve another content folder' : `it serves ${content}`;
      return `the server at ${url} does not show this change: ${which}`;
    });
}

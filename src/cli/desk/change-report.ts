import { describeChange } from '../../announcements/changes/change-log.ts';
import { unlistedSites } from '../../announcements/listed-sites.ts';
import type { ChangedAnnouncement, ChangeEffect, UndoneAnswer } from '../../contract/desk-types.ts';
import { safeText } from '../../kit/terminal-text.ts';
import {
  type AnnouncementJson,
  announcementJson,
  describeAnnouncement,
  type EditorClock,
  formatRelative,
} from '../display/announcement-text.ts';
import { drawBadge } from '../display/badge-drawing.ts';
import type { Paint } from '../program/paint.ts';
import type { Report } from '../program/report.ts';
import type { ServerView } from '../servers/running-servers.ts';
import type { OpenDesk } from './open-desk.ts';

export interface ChangeView extends EditorClock {
  readonly dryRun: boolean;
  /** How the headline begins: `Published`, `Changed` … */
  readonly verb: string;
}

/** Asks the servers whether they show a change, and reports both. */
export async function reportChange(
  desk: OpenDesk,
  answer: ChangedAnnouncement | UndoneAnswer,
  view: ChangeView,
): Promise<Report> {
  const undone = 'undone' in answer ? answer : undefined;
  const listed = 'undone' in answer ? answer.announcement : answer;
  const announcement = listed && announcementJson(listed);
  const { dryRun } = view;
  const servers = dryRun ? [] : await desk.views();
  const warnings = [
    ...answer.warnings,
    ...(await warningsOfSites(desk, announcement)),
    ...warnOfServers(servers),
  ];
  const change = dryRun ? null : answer.change;
  return {
    value: {
      announcement,
      change,
      ...(undone && { undone: undone.undone, by: undone.by }),
      dryRun,
      warnings,
      content: desk.name,
      servers,
    },
    warnings,
    text: (paint, columns) => {
      const isShown = announcement?.state === 'active' || announcement?.state === 'scheduled';
      return [
        headline(answer, announcement, desk.where(servers), view, paint),
        ...(isShown ? ['', ...drawBadge(announcement, paint, columns)] : []),
        ...(announcement === null ? [] : ['', ...describeAnnouncement(announcement, view, paint, columns)]),
        ...describeEffect(answer, dryRun, paint),
        ...(change === null
          ? []
          : ['', paint.dim(`To undo it: ${desk.command('announce', 'undo', String(change))}`)]),
      ].join('\n');
    },
  };
}

function headline(
  answer: ChangedAnnouncement | UndoneAnswer,
  announcement: AnnouncementJson | null,
  where: string,
  { dryRun, verb, now }: ChangeView,
  paint: Paint,
): string {
  const id = paint.bold(answer.id);
  if (answer.change === null) return `Nothing to change: ${id} already is as requested.`;
  const state = announcement === null ? 'is gone, and its id stays taken' : describeState(announcement, now);
  const undone =
    'undone' in answer
      ? `change ${answer.undone} (${safeText(answer.by)} ${describeChange(answer)})`
      : undefined;
  const without = undone === undefined ? '' : ` This would undo ${undone}.`;
  if (dryRun)
    return `${paint.warn('Dry run')}: nothing was changed.${without} ${id} would be like this; it ${state}:`;
  return `${paint.good('✔')} ${undone === undefined ? `${verb} ${id}` : `${verb} ${undone}`}: it ${state}, ${where}.`;
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
function describeEffect({ current, currentBefore }: ChangeEffect, dryRun: boolean, paint: Paint): string[] {
  if (current === currentBefore) return [];
  const verb = dryRun ? 'would be' : 'is now';
  if (current === null) return ['', paint.warn(`No announcement for everyone ${verb} current.`)];
  const instead = currentBefore === null ? '' : `, in place of ${currentBefore}`;
  return ['', `The current announcement ${verb} ${paint.bold(current)}${instead}.`];
}

/** On sites that no entry of the list lets in, nobody sees the announcement. */
async function warningsOfSites(desk: OpenDesk, announcement: AnnouncementJson | null): Promise<string[]> {
  const isShown = announcement?.state === 'active' || announcement?.state === 'scheduled';
  const sites = (isShown && announcement.audience?.sites) || [];
  if (sites.length === 0) return [];
  // The change is already made: if the list cannot be read, other commands report it.
  const unlisted = unlistedSites(sites, await desk.origins().catch(() => sites));
  if (unlisted.length === 0) return [];
  const add = desk.command('origins', 'add', ...unlisted);
  return [`the badge shows nothing on sites that are not on the allow-list; to add them: ${add}`];
}

/** What an editor should know before relying on it. */
export function warnOfServers(servers: readonly ServerView[]): string[] {
  const late = servers.filter(({ shows }) => !shows);
  return late.map(({ url }) => `the server at ${url} does not show the change yet`);
}

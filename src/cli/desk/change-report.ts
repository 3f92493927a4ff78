import { describeChange } from '../../announcements/changes/change-log.ts';
import { unlistedSites } from '../../announcements/listed-sites.ts';
import { plainText } from '../../announcements/values/markdown.ts';
import type {
  ChangedAnnouncement,
  ChangeEffect,
  DeskAnnouncement,
  UndoneAnswer,
} from '../../contract/desk-types.ts';
import { safeText } from '../../kit/terminal-text.ts';
import {
  announcementJson,
  describeAnnouncement,
  drawBadge,
  type EditorClock,
  formatRelative,
} from '../display/announcement-text.ts';
import { type Paint, paragraphs, type Report } from '../program/report.ts';
import type { ServerView } from '../serving/running-servers.ts';
import type { OpenDesk } from './open-desk.ts';

interface ChangeView extends EditorClock {
  readonly dryRun: boolean;
}

/**
 * Asks the servers whether they show a change, and reports both.
 *
 * @param verb how the headline begins: `Published`, `Changed` …
 */
export async function reportChange(
  desk: OpenDesk,
  answer: ChangedAnnouncement | UndoneAnswer,
  verb: string,
  view: ChangeView,
): Promise<Report> {
  const { dryRun } = view;
  const [announcement, undone] = 'undone' in answer ? [answer.announcement, answer] : [answer, undefined];
  const isShown = announcement?.state === 'active' || announcement?.state === 'scheduled';
  const servers = dryRun ? [] : await desk.views();
  const { message = '', markdown } = announcement ?? {};
  const hasMarks = isShown && markdown === undefined && plainText(message) !== message;
  const warnings = [
    ...answer.warnings,
    ...(hasMarks ? ['the marks of Markdown are shown as typed; --markdown formats them'] : []),
    ...(isShown ? await warningsOfSites(desk, announcement.audience?.sites) : []),
    ...warnOfServers(servers),
  ];
  const change = dryRun ? null : answer.change;
  return {
    value: {
      announcement: announcement && announcementJson(announcement),
      change,
      ...(undone && { undone: undone.undone, by: undone.by }),
      dryRun,
      warnings,
      content: desk.name,
      servers,
    },
    warnings,
    text: (paint, columns) =>
      paragraphs(
        headline(answer, announcement, desk.where(servers), verb, view, paint),
        isShown && drawBadge(announcement, paint, columns),
        announcement !== null && describeAnnouncement(announcement, view, paint, columns),
        describeEffect(answer, dryRun, paint),
        change !== null && paint.dim(`To undo it: ${desk.command('announce', 'undo', String(change))}`),
      ),
  };
}

function headline(
  answer: ChangedAnnouncement | UndoneAnswer,
  announcement: DeskAnnouncement | null,
  where: string,
  verb: string,
  { dryRun, now }: ChangeView,
  paint: Paint,
): string {
  const id = paint.bold(answer.id);
  if (answer.change === null) return `Nothing to change: ${id} already is as requested.`;
  const state = announcement === null ? 'is gone, and its id stays taken' : describeState(announcement, now);
  const undone =
    'undone' in answer && `change ${answer.undone} (${safeText(answer.by)} ${describeChange(answer)})`;
  if (!dryRun) return `${paint.good('✔')} ${verb} ${undone || id}: it ${state}, ${where}.`;
  const effect = undone ? ` This would undo ${undone}.` : '';
  return `${paint.warn('Dry run')}: nothing was changed.${effect} ${id} would be like this; it ${state}:`;
}

function describeState({ state, published, expired }: DeskAnnouncement, now: number): string {
  if (state === 'scheduled') return `starts ${formatRelative(Date.parse(published), now)}`;
  if (state === 'superseded') return 'is superseded by a later one';
  if (state === 'withdrawn') return 'is out of the public history';
  if (state === 'ended') return 'has ended, and stays in the public history';
  return state === 'active' && expired !== undefined
    ? `is active, and ends ${formatRelative(Date.parse(expired), now)}`
    : `is ${state}`;
}

function describeEffect({ current, currentBefore }: ChangeEffect, dryRun: boolean, paint: Paint): string {
  if (current === currentBefore) return '';
  const verb = dryRun ? 'would be' : 'is now';
  if (current === null) return paint.warn(`No announcement for everyone ${verb} current.`);
  const instead = currentBefore === null ? '' : `, in place of ${currentBefore}`;
  return `The current announcement ${verb} ${paint.bold(current)}${instead}.`;
}

/** On sites that no entry of the list lets in, nobody sees the announcement. */
async function warningsOfSites(desk: OpenDesk, sites: readonly string[] = []): Promise<string[]> {
  // The change is already made: if the list cannot be read, other commands report it.
  const origins = sites.length === 0 ? [] : await desk.origins().catch(() => sites);
  const unlisted = unlistedSites(sites, origins);
  if (unlisted.length === 0) return [];
  const add = desk.command('origins', 'add', ...unlisted);
  return [`the badge shows nothing on sites that are not on the allow-list; to add them: ${add}`];
}

export function warnOfServers(servers: readonly ServerView[]): string[] {
  const late = servers.filter(({ shows }) => !shows);
  return late.map(({ url }) => `the server at ${url} does not show the change yet`);
}

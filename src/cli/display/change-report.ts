import type { ChangedAnnouncement, ChangeEffect } from '../../contract/desk-types.ts';
import type { Paint } from '../output/paint.ts';
import type { Report } from '../program/report.ts';
import { type ServerView, warnOfServers } from '../servers/server-check.ts';
import { type AnnouncementJson, announcementJson } from './announcement-json.ts';
import { describeAnnouncement, describeSuccession, isToEnd, labelled } from './announcement-lines.ts';
import { drawBadge } from './badge-drawing.ts';
import { type DeskPlace, describeWhere, toCommand } from './desk-place.ts';
import { toRelativeText, toShortText } from './moments.ts';

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
export function toChangeReport(changed: ContentChanged, view: ChangeView): Report {
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
      servers: servers.map(toServerJson),
    },
    warnings,
    toText: (paint, columns) =>
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
          : ['', `To take it back: ${toCommand(place, 'announce', 'undo')}`, ...nextSteps].map(paint.dim)),
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
    return `${paint.good('✔')} ${id} will end ${toRelativeText(Date.parse(announcement.expired), now)}: it ${until}, ${where}.`;
  }
  return `${paint.good('✔')} ${verb} ${id}: it ${state}, ${where}.`;
}

function describeState({ state, published, expired }: AnnouncementJson, now: number): string {
  if (state === 'scheduled') return `starts ${toRelativeText(Date.parse(published), now)}`;
  if (state === 'superseded') return 'is superseded by a later one';
  if (state === 'withdrawn') return 'is out of the public history';
  if (state === 'ended') return 'has ended, and stays in the public history';
  return state === 'active' && expired !== null
    ? `is active, and ends ${toRelativeText(Date.parse(expired), now)}`
    : `is ${state}`;
}

/** What the change does to the one announcement that every visitor sees. Says nothing about servers: they are asked. */
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
  if (state === 'scheduled') return `has this change; nobody sees it before ${toShortText(published, zone)}`;
  return effect.current === id ? 'shows this' : 'has this change';
}

/** Only of servers that were seen to have it; the others are warnings. */
export function describeServers(servers: readonly ServerView[], effect: string, paint: Paint): string[] {
  const showing = servers.filter(({ shows }) => shows);
  return showing.map(({ url }) => `${paint.good('✔')} The server at ${url} ${effect}.`);
}

export function toServerJson({ url, content, shows }: ServerView) {
  return { url, content, shows };
}

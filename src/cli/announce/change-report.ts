import type { HistoryFile } from '../../server/badge/announcement.ts';
import type { ContentStore } from '../../server/badge/content-store.ts';
import type { Made, Outcome } from '../../server/badge/history-edit.ts';
import { currentAnnouncement } from '../../server/badge/schedule.ts';
import type { Paint } from '../paint.ts';
import { RefusedError, type Report } from '../report.ts';
import { type AnnouncementJson, allAnnouncements } from './announcement-json.ts';
import { describeAnnouncement } from './announcement-lines.ts';
import { drawBadge } from './badge-drawing.ts';
import { toRelativeText } from './moments.ts';

export interface ChangeView {
  readonly zone: string;
  readonly now: number;
  readonly dryRun: boolean;
  /** How the headline begins: `Published`, `Changed` … */
  readonly verb: string;
}

/** Makes a change, or on a dry run only finds out what it would be. */
export async function makeChange(
  store: ContentStore,
  dryRun: boolean,
  change: (history: HistoryFile) => Outcome,
): Promise<{ made: Made; before: HistoryFile }> {
  let before: HistoryFile | undefined;
  const remembering = (history: HistoryFile) => {
    before = history;
    return change(history);
  };
  const outcome = dryRun ? remembering(await store.readHistory()) : await store.updateHistory(remembering);
  if ('problem' in outcome) throw new RefusedError(outcome.problem);
  return { made: outcome, before: before as HistoryFile };
}

/** What `publish`, `edit`, `expire` and `withdraw` say. */
export function toChangeReport(
  store: ContentStore,
  before: HistoryFile,
  made: Made,
  view: ChangeView,
): Report {
  const announcement = find(allAnnouncements(made.history, view.now), made.entry.id);
  const { warnings } = made;
  const change = view.dryRun ? null : (made.number ?? null);
  return {
    value: { announcement, change, dryRun: view.dryRun, warnings, content: store.dir },
    warnings,
    toText: (paint, columns) =>
      [
        headline(announcement, made, view, paint),
        ...(announcement.state === 'active' || announcement.state === 'scheduled'
          ? ['', ...drawBadge(announcement, paint, columns)]
          : []),
        '',
        ...describeAnnouncement(announcement, view, paint, columns),
        ...describeEffect(before, made.history, view, paint),
        ...(change === null ? [] : ['', paint.dim('To take it back: typebadge announce undo')]),
      ].join('\n'),
  };
}

function headline(
  announcement: AnnouncementJson,
  { number }: Made,
  { dryRun, verb, now }: ChangeView,
  paint: Paint,
): string {
  const id = paint.bold(announcement.id);
  if (number === undefined) return `Nothing to change: ${id} already is as asked.`;
  const state = describeState(announcement, now);
  if (dryRun) return `${paint.warn('Dry run')}: nothing was changed. ${id} would be like this; it ${state}:`;
  return `${paint.good('✔')} ${verb} ${id}: it ${state}.`;
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

/** What the change does to the one announcement that every visitor sees. */
export function describeEffect(
  before: HistoryFile,
  after: HistoryFile,
  { now, dryRun }: Pick<ChangeView, 'now' | 'dryRun'>,
  paint: Paint,
): string[] {
  const was = currentAnnouncement(before, now);
  const is = currentAnnouncement(after, now);
  if (was?.id === is?.id) return [];
  const shows = dryRun ? 'The badge would show' : 'The badge now shows';
  if (is === undefined) return ['', paint.warn(`${shows} its logo alone: no announcement is in force.`)];
  return ['', `${shows} ${paint.bold(is.id)}${was === undefined ? '' : `, in place of ${was.id}`}.`];
}

function find(announcements: readonly AnnouncementJson[], id: string): AnnouncementJson {
  const found = announcements.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`the change lost ${id}`);
  return found;
}

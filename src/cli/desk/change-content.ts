import type { HistoryFile } from '../../announcements/announcement.ts';
import { type ChangeView, toChangeReport } from '../display/change-report.ts';
import { type DeskPlace, toCommand, warnOfPlace } from '../display/desk-place.ts';
import { toLocalTimes } from '../display/moments.ts';
import { RefusedError } from '../program/command-errors.ts';
import type { Report } from '../program/report.ts';
import { findUnlistedSites } from './listed-sites.ts';
import { applyRequest } from './port/change-request.ts';
import type { ChangeRequest, Desk, DeskChange } from './port/desk.ts';
import { unlessRefused } from './port/refused-outcome.ts';
import { findLoneSample } from './sample-announcement.ts';

/** Makes a change, or on a dry run only finds out what it would be; then asks the servers whether they show it. */
export async function changeContent(desk: Desk, request: ChangeRequest, view: ChangeView): Promise<Report> {
  const change = view.dryRun ? tryChange(desk, request, view.now) : desk.change(request, view.now);
  const { made, before, now } = await change.catch((error) =>
    Promise.reject(withLocalTimes(error, view.zone)),
  );
  const servers = view.dryRun ? [] : await desk.views(made.history);
  const isShown = request.kind === 'publish' || request.kind === 'edit';
  const unlisted = await findUnlistedSites(desk, isShown ? made.entry.audience?.sites : []);
  const notes = [...warnOfPlace(desk.place), ...warnOfSites(unlisted, desk.place)];
  const nextSteps = request.kind === 'publish' ? await findNextSteps(desk, before) : [];
  return toChangeReport({ place: desk.place, before, made, servers, notes, nextSteps }, { ...view, now });
}

/** What is left to do after the first announcement of a folder, store or server: who made it may not know yet. */
async function findNextSteps(desk: Desk, before: HistoryFile): Promise<string[]> {
  const sample = await findLoneSample(before);
  if (sample === undefined && before.announcements.length > 0) return [];
  const origins = await desk.origins().catch(() => undefined); // about a list that cannot be read, other commands complain
  const add = toCommand(desk.place, 'origins', 'add', 'https://example.org');
  return [
    ...(origins?.length === 0 ? [`No site is on the allow-list yet. To let one show the badge: ${add}`] : []),
    ...(sample === undefined
      ? []
      : [
          `To remove the sample from the public history: ${toCommand(desk.place, 'announce', 'withdraw', sample)}`,
        ]),
  ];
}

function warnOfSites(sites: readonly string[], place: DeskPlace): string[] {
  if (sites.length === 0) return [];
  const verb = sites.length === 1 ? 'is' : 'are';
  return [
    `${sites.join(' and ')} ${verb} not on the allow-list: until that changes (${toCommand(place, 'origins', 'add', ...sites)}), the badge shows only its logo there`,
  ];
}

/** The rules say in UTC why a change cannot be; the editor means another zone, and reads that one. */
function withLocalTimes(error: unknown, zone: string): unknown {
  return error instanceof RefusedError ? new RefusedError(toLocalTimes(error.message, zone)) : error;
}

async function tryChange(desk: Desk, request: ChangeRequest, now: number): Promise<DeskChange> {
  const { history: before } = await desk.read();
  const made = unlessRefused(applyRequest(before, request, { by: await desk.editor(), at: now }));
  return { made, before, now };
}

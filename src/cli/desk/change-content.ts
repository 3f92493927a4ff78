import { type ChangeView, toChangeReport } from '../display/change-report.ts';
import { type DeskPlace, toCommand, warnOfPlace } from '../display/desk-place.ts';
import type { Report } from '../program/report.ts';
import { findUnlistedSites } from './listed-sites.ts';
import { applyRequest } from './port/change-request.ts';
import type { ChangeRequest, Desk, DeskChange } from './port/desk.ts';
import { unlessRefused } from './port/refused-outcome.ts';

/** Makes a change, or on a dry run only finds out what it would be; then asks the servers whether they show it. */
export async function changeContent(desk: Desk, request: ChangeRequest, view: ChangeView): Promise<Report> {
  const { made, before, now } = view.dryRun
    ? await tryChange(desk, request, view.now)
    : await desk.change(request, view.now);
  const servers = view.dryRun ? [] : await desk.views(made.history);
  const isShown = request.kind === 'publish' || request.kind === 'edit';
  const unlisted = await findUnlistedSites(desk, isShown ? made.entry.audience?.sites : []);
  const notes = [...warnOfPlace(desk.place), ...warnOfSites(unlisted, desk.place)];
  return toChangeReport({ place: desk.place, before, made, servers, notes }, { ...view, now });
}

function warnOfSites(sites: readonly string[], place: DeskPlace): string[] {
  if (sites.length === 0) return [];
  const verb = sites.length === 1 ? 'is' : 'are';
  return [
    `${sites.join(' and ')} ${verb} not on the allow-list: until that changes (${toCommand(place, 'origins', 'add', ...sites)}), readers there see only the mark`,
  ];
}

async function tryChange(desk: Desk, request: ChangeRequest, now: number): Promise<DeskChange> {
  const { history: before } = await desk.read();
  const made = unlessRefused(applyRequest(before, request, { by: await desk.editor(), at: now }));
  return { made, before, now };
}

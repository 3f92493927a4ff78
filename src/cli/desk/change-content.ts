import { type ChangeView, toChangeReport } from '../display/change-report.ts';
import type { Report } from '../program/report.ts';
import { applyRequest } from './port/change-request.ts';
import type { ChangeRequest, Desk, DeskChange } from './port/desk.ts';
import { unlessRefused } from './port/refused-outcome.ts';

/** Makes a change, or on a dry run only finds out what it would be; then asks the servers whether they show it. */
export async function changeContent(desk: Desk, request: ChangeRequest, view: ChangeView): Promise<Report> {
  const { made, before, now } = view.dryRun
    ? await tryChange(desk, request, view.now)
    : await desk.change(request, view.now);
  const servers = view.dryRun ? [] : await desk.views(made.history);
  return toChangeReport({ place: desk.place, before, made, servers }, { ...view, now });
}

async function tryChange(desk: Desk, request: ChangeRequest, now: number): Promise<DeskChange> {
  const { history: before } = await desk.read();
  const made = unlessRefused(applyRequest(before, request, { by: await desk.editor(), at: now }));
  return { made, before, now };
}

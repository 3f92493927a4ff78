import type { HistoryFile } from '../../announcements/announcement.ts';
import type { Made, Outcome } from '../../announcements/history-edit.ts';
import type { ContentStore } from '../../server/stores/content/content-store.ts';
import { type ChangeView, toChangeReport } from '../display/change-report.ts';
import { RefusedError } from '../program/command-errors.ts';
import type { CommandIo } from '../program/command-io.ts';
import type { Report } from '../program/report.ts';
import { checkServers } from '../servers/server-check.ts';
import { dataFolderOf } from './content-access.ts';

export interface ContentChange {
  readonly store: ContentStore;
  readonly change: (history: HistoryFile) => Outcome;
  readonly view: ChangeView;
}

/** Makes a change, or on a dry run only finds out what it would be; then asks the running servers whether they show it. */
export async function changeContent({ store, change, view }: ContentChange, io: CommandIo): Promise<Report> {
  const { made, before } = await makeChange(store, view.dryRun, change);
  const { content } = store;
  const servers = view.dryRun ? [] : await checkServers(content, dataFolderOf(io), made.history, io);
  return toChangeReport({ content: content.name, before, made, servers }, view);
}

async function makeChange(
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

import { createRepresentation, type Representation } from '../http/representation.ts';
import type { HistoryFile } from './announcement.ts';
import { currentAnnouncement, publicHistory } from './schedule.ts';

/** Every public answer that follows from the announcements, made once for as long as nothing changes. */
export interface PreparedContent {
  readonly announcement: Representation;
  readonly history: Representation;
  readonly atomFeed: Representation;
  readonly jsonFeed: Representation;
  readonly historyPage: Representation;
  /** The ids that the public may know of. */
  readonly publicIds: ReadonlySet<string>;
}

const cacheControl = 'public, max-age=900, must-revalidate';

/** Derives and compresses all of it as it stands at `now`, in epoch milliseconds. */
export async function prepareContent(file: HistoryFile, now: number): Promise<PreparedContent> {
  const history = publicHistory(file, now);
  const [announcement, historyJson] = await Promise.all([prepareAnnouncement(file, now), json(history)]);
  return {
    announcement,
    history: historyJson,
    atomFeed: historyJson,
    jsonFeed: historyJson,
    historyPage: historyJson,
    publicIds: new Set(history.announcements.map(({ id }) => id)),
  };
}

function prepareAnnouncement(file: HistoryFile, now: number): Promise<Representation> {
  const current = currentAnnouncement(file, now);
  if (current !== undefined) return json(current);
  return json({ error: 'No announcement is current.', code: 'NO_ACTIVE_ANNOUNCEMENT' }, 404);
}

function json(value: unknown, status = 200): Promise<Representation> {
  return createRepresentation({
    body: JSON.stringify(value),
    type: 'application/json',
    cacheControl,
    status,
  });
}

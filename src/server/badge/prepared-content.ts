import { createRepresentation, type Representation } from '../http/representation.ts';
import type { HistoryFile } from './announcement.ts';
import { toAtomFeed, toJsonFeed } from './feeds.ts';
import { createHistoryPage } from './history-page.ts';
import type { Page } from './page.ts';
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

export interface PublicFace {
  readonly brand: string;
  /** Where this server is reached, without a trailing slash. */
  readonly baseUrl: string;
  /** The stylesheet of the history page. */
  readonly historyStyle: string;
}

const cacheControl = 'public, max-age=900, must-revalidate';

/** Derives and compresses all of it as it stands at `now`, in epoch milliseconds. */
export async function prepareContent(
  file: HistoryFile,
  now: number,
  face: PublicFace,
): Promise<PreparedContent> {
  const { brand, baseUrl, historyStyle } = face;
  const history = publicHistory(file, now);
  const atom = toAtomFeed({ brand, baseUrl, history });
  const jsonFeed = toJsonFeed({ brand, baseUrl, history });
  const page = createHistoryPage({ brand, style: historyStyle, history });
  const [announcement, historyJson, atomFeed, jsonFeedFile, historyPage] = await Promise.all([
    prepareAnnouncement(file, now),
    createRepresentation({ body: JSON.stringify(history), type: 'application/json', cacheControl }),
    createRepresentation({ body: atom, type: 'application/atom+xml', cacheControl }),
    createRepresentation({ body: jsonFeed, type: 'application/feed+json', cacheControl }),
    createPageRepresentation(page),
  ]);
  const publicIds = new Set(history.announcements.map(({ id }) => id));
  return { announcement, history: historyJson, atomFeed, jsonFeed: jsonFeedFile, historyPage, publicIds };
}

function prepareAnnouncement(file: HistoryFile, now: number): Promise<Representation> {
  const current = currentAnnouncement(file, now);
  const [status, value] =
    current === undefined
      ? [404, { error: 'No announcement is current.', code: 'NO_ACTIVE_ANNOUNCEMENT' }]
      : [200, current];
  return createRepresentation({
    body: JSON.stringify(value),
    type: 'application/json',
    cacheControl,
    status,
  });
}

/** A page with its policy; asked for anew each time, and answered 304 as a rule. */
export function createPageRepresentation({ html, policy }: Page): Promise<Representation> {
  return createRepresentation({
    body: html,
    type: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    headers: ['Content-Security-Policy', policy, 'Referrer-Policy', 'strict-origin-when-cross-origin'],
  });
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HistoryFile, PublicAnnouncement } from '../../announcements/announcement.ts';
import { activeAnnouncement } from '../../announcements/drawn.ts';
import { activeAnnouncements, currentAnnouncement, publicHistory } from '../../announcements/schedule.ts';
import type { ErrorBody } from '../../contract/answer-types.ts';
import { createRepresentation, type Representation } from '../http/representation.ts';
import { type FeedOf, prepareFeeds } from './feed-languages.ts';
import { type HistoryPageOf, prepareHistoryPages } from './history-pages.ts';
import { atomFeedText, jsonFeedText } from './pages/feeds.ts';
import { createHistoryPage } from './pages/history-page.ts';
import type { HtmlPage } from './pages/page.ts';
import { createFragment } from './pages/words.ts';
import { createAnnouncementPicture, type Theme } from './pictures/announcement-picture.ts';
import { picturePolicy } from './pictures/logo.ts';
import { pictureAge, shieldOf } from './pictures/shields.ts';

/** Every public answer that depends on the announcements, prepared once until something changes. */
export interface PreparedContent {
  readonly announcement: Representation;
  /** The same as a fragment of HTML. */
  readonly banner: Representation;
  /** All active announcements; the badge chooses from them. */
  readonly active: Representation;
  readonly history: Representation;
  /** In any requested language. */
  readonly atomFeed: FeedOf;
  readonly jsonFeed: FeedOf;
  /** With any requested number. */
  readonly historyPage: HistoryPageOf;
  /** The current announcement as a picture, and for Shields. */
  readonly picture: Readonly<Record<Theme, Representation>>;
  readonly shield: Representation;
  /** The ids of announcements that are public. */
  readonly publicIds: ReadonlySet<string>;
}

export interface PublicFace {
  readonly brand: string;
  /** Public URL of this server, without a trailing slash. */
  readonly baseUrl: string;
  /** The logo as SVG. */
  readonly logo: Buffer;
  /** The stylesheet and the script of the history page. */
  readonly historyStyle: string;
  readonly historyScript: string;
}

const cacheControl = 'public, max-age=900, must-revalidate';

/** Derives and compresses all answers as of `now` (epoch milliseconds). */
export async function prepareContent(
  file: HistoryFile,
  now: number,
  face: PublicFace,
): Promise<PreparedContent> {
  const { brand, baseUrl, historyStyle: style, historyScript: script } = face;
  // With many announcements each of these takes a while; requests that arrive meanwhile are handled in between.
  const history = publicHistory(file, now);
  await nextTurn();
  const pageOf = (number: number) =>
    createPageRepresentation(createHistoryPage({ brand, style, script, history, now, number }));
  const current = currentAnnouncement(file, now);
  await nextTurn();
  const actives = activeAnnouncements(file, now).map(activeAnnouncement);
  await nextTurn();
  // First the longest, with nothing else in the turn of the event loop in which it is ready.
  const historyJson = await createRepresentation({
    body: JSON.stringify(history),
    type: 'application/json',
    cacheControl,
  });
  await nextTurn();
  const historyPage = await prepareHistoryPages(history, pageOf);
  await nextTurn();
  const atomFeed = await prepareFeeds(history, (language) => ({
    body: atomFeedText({ brand, baseUrl, history, language }),
    type: 'application/atom+xml',
    cacheControl,
  }));
  await nextTurn();
  const jsonFeed = await prepareFeeds(history, (language) => ({
    body: jsonFeedText({ brand, baseUrl, history, language }),
    type: 'application/feed+json',
    cacheControl,
  }));
  await nextTurn();
  const [announcement, banner, active, light, dark, shield] = await Promise.all([
    prepareAnnouncement(current),
    createRepresentation({
      body: createFragment(current),
      type: 'text/html; charset=utf-8',
      cacheControl,
      headers: ['Content-Security-Policy', fragmentPolicy],
    }),
    createRepresentation({
      body: JSON.stringify({ announcements: actives }),
      type: 'application/json',
      cacheControl,
    }),
    preparePicture(face, 'light', current),
    preparePicture(face, 'dark', current),
    createRepresentation({
      body: JSON.stringify(shieldOf(brand, current)),
      type: 'application/json',
      cacheControl: pictureCaching,
    }),
  ]);
  const publicIds = new Set(history.announcements.map(({ id }) => id));
  const picture = { light, dark };
  return {
    announcement,
    banner,
    active,
    history: historyJson,
    atomFeed,
    jsonFeed,
    historyPage,
    picture,
    shield,
    publicIds,
  };
}

/** Opened as a page of its own, it can do nothing. */
const fragmentPolicy = "default-src 'none'; sandbox";

const pictureCaching = `public, max-age=${pictureAge}`;

function preparePicture(
  { brand, logo }: PublicFace,
  theme: Theme,
  announcement: PublicAnnouncement | undefined,
): Promise<Representation> {
  return createRepresentation({
    body: createAnnouncementPicture({ brand, logo, theme, announcement }),
    type: 'image/svg+xml',
    cacheControl: pictureCaching,
    headers: ['Content-Security-Policy', picturePolicy],
  });
}

const noAnnouncement: ErrorBody = {
  error: 'No announcement is current.',
  code: 'NO_ACTIVE_ANNOUNCEMENT',
};

function prepareAnnouncement(current: PublicAnnouncement | undefined): Promise<Representation> {
  const [status, value] = current === undefined ? [404, noAnnouncement] : [200, current];
  return createRepresentation({
    body: JSON.stringify(value),
    type: 'application/json',
    cacheControl,
    status,
  });
}

/** A page with its policy; revalidated each time, and usually answered 304. */
export function createPageRepresentation({ html, policy }: HtmlPage): Promise<Representation> {
  return createRepresentation({
    body: html,
    type: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    headers: ['Content-Security-Policy', policy, 'Referrer-Policy', 'strict-origin-when-cross-origin'],
  });
}

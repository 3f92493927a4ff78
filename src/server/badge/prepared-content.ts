import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HistoryFile, PublicAnnouncement, PublicHistory } from '../../announcements/announcement.ts';
import { activeAnnouncement } from '../../announcements/presentation.ts';
import { activeAnnouncements, currentAnnouncement, publicHistory } from '../../announcements/schedule.ts';
import type { ErrorBody } from '../../contract/answer-types.ts';
import { createRepresentation, type Representation } from '../http/representation.ts';
import { atomFeedText, type FeedOptions, feedLanguages, jsonFeedText } from './pages/feeds.ts';
import { countHistoryPages, createHistoryPage } from './pages/history-page.ts';
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
  /** For a query such as `lang=de`. */
  readonly atomFeed: Variants;
  readonly jsonFeed: Variants;
  /** For a query such as `page=2`. */
  readonly historyPage: Variants;
  /** The current announcement as a picture, and for Shields. */
  readonly picture: Readonly<Record<Theme, Representation>>;
  readonly shield: Representation;
  /** The ids of announcements that are public. */
  readonly publicIds: ReadonlySet<string>;
}

export interface Branding {
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

/** The file for a query: synchronous if it is the default one or was requested recently. */
export type Variants = (query: string) => Representation | Promise<Representation>;

/** Derives and compresses all answers as of `now` (epoch milliseconds). */
export async function prepareContent(
  file: HistoryFile,
  now: number,
  branding: Branding,
): Promise<PreparedContent> {
  const { brand, baseUrl, historyStyle: style, historyScript: script } = branding;
  // With many announcements each of these takes a while; other requests are handled in between.
  const history = publicHistory(file, now);
  await nextTurn();
  const current = currentAnnouncement(file, now);
  const actives = activeAnnouncements(file, now).map(activeAnnouncement);
  await nextTurn();
  const historyJson = await prepareJson(history);
  await nextTurn();
  const feed = (type: string, textOf: (options: FeedOptions) => string) =>
    prepareVariants(undefined, languageIn(history), (language) =>
      createRepresentation({ body: textOf({ brand, baseUrl, history, language }), type, cacheControl }),
    );
  const historyPage = await prepareVariants(1, pageIn(history), (number) =>
    createPageRepresentation(createHistoryPage({ brand, style, script, history, now, number })),
  );
  await nextTurn();
  const atomFeed = await feed('application/atom+xml', atomFeedText);
  await nextTurn();
  const jsonFeed = await feed('application/feed+json', jsonFeedText);
  await nextTurn();
  const [announcement, banner, active, light, dark, shield] = await Promise.all([
    current === undefined ? prepareJson(noAnnouncement, { status: 404 }) : prepareJson(current),
    createRepresentation({
      body: createFragment(current),
      type: 'text/html; charset=utf-8',
      cacheControl,
      headers: ['Content-Security-Policy', fragmentPolicy],
    }),
    prepareJson({ announcements: actives }),
    preparePicture(branding, 'light', current),
    preparePicture(branding, 'dark', current),
    prepareJson(shieldOf(brand, current), { cacheControl: pictureCaching }),
  ]);
  return {
    ...{ announcement, banner, active, atomFeed, jsonFeed, historyPage, shield },
    history: historyJson,
    picture: { light, dark },
    publicIds: new Set(history.announcements.map(({ id }) => id)),
  };
}

function prepareJson(
  value: object,
  options: { readonly status?: number; readonly cacheControl?: string } = {},
): Promise<Representation> {
  return createRepresentation({
    body: JSON.stringify(value),
    type: 'application/json',
    cacheControl,
    ...options,
  });
}

/** Maximum number of files kept of each kind, besides the default one. */
const maxKept = 20;

/**
 * The default file at once, and each other on its first request; only the most recently requested are cached. A
 * query for one that does not exist gets the default one, so no client can make this server prepare more than
 * there is.
 */
async function prepareVariants<Key>(
  defaultKey: Key,
  keyOf: (parameters: URLSearchParams) => Key | undefined,
  make: (key: Key) => Promise<Representation>,
): Promise<Variants> {
  const first = await make(defaultKey);
  const cached = new Map<Key, Promise<Representation>>();
  return (query) => {
    const key = query === '' ? undefined : keyOf(new URLSearchParams(query));
    if (key === undefined || key === defaultKey) return first;
    const file = cached.get(key) ?? make(key);
    cached.delete(key); // moves it to the end: the oldest is first
    cached.set(key, file);
    const [oldest] = cached.keys();
    if (cached.size > maxKept && oldest !== undefined) cached.delete(oldest);
    return file;
  };
}

/** The page that `page` names; undefined if there is none. */
function pageIn(history: PublicHistory): (parameters: URLSearchParams) => number | undefined {
  const count = countHistoryPages(history);
  return (parameters) => {
    const text = parameters.get('page') ?? '';
    const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    return number >= 1 && number <= count ? number : undefined;
  };
}

/** The language that `lang` names, or the same without its region; undefined if there is neither. */
function languageIn(history: PublicHistory): (parameters: URLSearchParams) => string | undefined {
  const known = new Map([...feedLanguages(history)].map((tag) => [tag.toLowerCase(), tag]));
  return (parameters) => {
    const parts = (parameters.get('lang') ?? '').slice(0, 35).toLowerCase().split('-');
    const tags = parts.map((_, at) => known.get(parts.slice(0, parts.length - at).join('-')));
    return tags.find((tag) => tag !== undefined);
  };
}

/** Opened as a page of its own, it can do nothing. */
const fragmentPolicy = "default-src 'none'; sandbox";

const pictureCaching = `public, max-age=${pictureAge}`;

function preparePicture(
  { brand, logo }: Branding,
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

/** A page with its policy; revalidated each time, and usually answered 304. */
export function createPageRepresentation({ html, policy }: HtmlPage): Promise<Representation> {
  return createRepresentation({
    body: html,
    type: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    headers: ['Content-Security-Policy', policy, 'Referrer-Policy', 'strict-origin-when-cross-origin'],
  });
}

import type { HistoryFile, PublicHistory } from '../../announcements/announcement.ts';
import { activeAnnouncement } from '../../announcements/presentation.ts';
import { activeAnnouncements, currentAnnouncement, publicHistory } from '../../announcements/schedule.ts';
import { nearestLanguage } from '../../announcements/values/translations.ts';
import type { ErrorBody } from '../../contract/answer-types.ts';
import { createRecentCache } from '../../kit/recent-cache.ts';
import { createRepresentation, type Representation } from '../http/representation.ts';
import { atomFeedText, type FeedOptions, feedLanguages, jsonFeedText } from './pages/feeds.ts';
import { countHistoryPages, createHistoryPage } from './pages/history-page.ts';
import type { HtmlPage } from './pages/page.ts';
import { createFragment } from './pages/words.ts';
import {
  createAnnouncementPicture,
  pictureAge,
  shieldOf,
  type Theme,
} from './pictures/announcement-picture.ts';
import { picturePolicy } from './pictures/logo.ts';

/** Every public file that depends on the announcements, prepared once until something changes. */
interface PreparedContent {
  readonly files: Files;
  readonly publicIds: ReadonlySet<string>;
}

/** Files by path; where a file has variants, the query chooses one. */
export type Files = Readonly<Record<string, Variants>>;

/** The file for a query: synchronous if it is the default one. */
export type Variants = (query: string) => Representation | Promise<Representation>;

export interface Branding {
  readonly brand: string;
  /** Public URL of this server, without a trailing slash. */
  readonly baseUrl: string;
  readonly logo: Buffer;
  readonly historyStyle: string;
  readonly historyScript: string;
}

const cacheControl = 'public, max-age=900, must-revalidate';

/** Derives and compresses all answers as of `now` (epoch milliseconds). */
export async function prepareContent(
  file: HistoryFile,
  now: number,
  branding: Branding,
): Promise<PreparedContent> {
  const { brand, baseUrl, logo, historyStyle: style, historyScript: script } = branding;
  const history = publicHistory(file, now);
  const current = currentAnnouncement(file, now);
  const actives = activeAnnouncements(file, now).map(activeAnnouncement);
  const feed = (type: string, textOf: (options: FeedOptions) => string) =>
    prepareVariants(undefined, languageIn(history), (language) =>
      createRepresentation({ body: textOf({ brand, baseUrl, history, language }), type, cacheControl }),
    );
  const banner = {
    body: createFragment(current),
    type: 'text/html; charset=utf-8',
    cacheControl,
    headers: ['Content-Security-Policy', fragmentPolicy],
  };
  const pictureOf = (theme: Theme) =>
    createRepresentation({
      body: createAnnouncementPicture({ brand, logo, theme, announcement: current }),
      type: 'image/svg+xml',
      cacheControl: pictureCaching,
      headers: ['Content-Security-Policy', picturePolicy],
    });
  const [light, dark] = await Promise.all([pictureOf('light'), pictureOf('dark')]);
  const files = await everyFile({
    '/content/announcement.json':
      current === undefined ? prepareJson(noAnnouncement, { status: 404 }) : prepareJson(current),
    '/content/banner.html': createRepresentation(banner),
    '/content/active.json': prepareJson({ announcements: actives }),
    '/content/history.json': prepareJson(history),
    '/content/shields.json': prepareJson(shieldOf(brand, current), { cacheControl: pictureCaching }),
    [`/images/${brand}-announcement.svg`]: (query) =>
      new URLSearchParams(query).get('theme') === 'dark' ? dark : light,
    '/feed.atom': feed('application/atom+xml', atomFeedText),
    '/feed.json': feed('application/feed+json', jsonFeedText),
    '/history': prepareVariants(1, pageIn(history), (number) =>
      createPageRepresentation(createHistoryPage({ brand, style, script, history, now, number })),
    ),
  });
  return { files, publicIds: new Set(history.announcements.map(({ id }) => id)) };
}

async function everyFile(
  files: Readonly<Record<string, Variants | Promise<Representation | Variants>>>,
): Promise<Files> {
  const ready = Object.entries(files).map(async ([path, making]) => {
    const file = await making;
    return [path, typeof file === 'function' ? file : () => file] as const;
  });
  return Object.fromEntries(await Promise.all(ready));
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
 * Prepares the default file at once and each other one on its first request; only those requested last are
 * cached. A query for one that does not exist gets the default one, so no client can make this server prepare
 * more than there is.
 */
async function prepareVariants<Key>(
  defaultKey: Key,
  keyOf: (parameters: URLSearchParams) => Key | undefined,
  make: (key: Key) => Promise<Representation>,
): Promise<Variants> {
  const first = await make(defaultKey);
  const cached = createRecentCache<Promise<Representation>>(maxKept);
  return (query) => {
    const key = query === '' ? undefined : keyOf(new URLSearchParams(query));
    if (key === undefined || key === defaultKey) return first;
    const file = cached.get(String(key)) ?? make(key);
    cached.put(String(key), file);
    return file;
  };
}

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
  const languages = feedLanguages(history);
  return (parameters) => nearestLanguage(languages, (parameters.get('lang') ?? '').slice(0, 35));
}

/** A fragment that is opened as a page can do nothing. */
const fragmentPolicy = "default-src 'none'; sandbox";

const pictureCaching = `public, max-age=${pictureAge}`;

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

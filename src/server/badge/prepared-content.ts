import type { HistoryFile } from '../../announcements/announcement.ts';
import { withDrawnParts } from '../../announcements/presentation.ts';
import { activeAnnouncements, currentAnnouncement, publicHistory } from '../../announcements/schedule.ts';
import { nearestLanguage } from '../../announcements/values/translations.ts';
import type { ErrorBody } from '../../contract/answer-types.ts';
import { createRecentCache } from '../../kit/recent-cache.ts';
import { createRepresentation, type Representation } from '../http/representation.ts';
import { atomFeedText, type FeedOptions, feedLanguages, jsonFeedText } from './pages/feeds.ts';
import { createHistoryPage } from './pages/history-page.ts';
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
  const actives = activeAnnouncements(file, now).map(withDrawnParts);
  const languages = feedLanguages(history);
  /** In the language that `lang` names, or the same without its region; prepared on its first request. */
  const feed = async (type: string, textOf: (options: FeedOptions) => string): Promise<Variants> => {
    const make = (language?: string) =>
      createRepresentation({ body: textOf({ brand, baseUrl, history, language }), type, cacheControl });
    const untranslated = await make();
    const translated = createRecentCache<Promise<Representation>>(maxTranslated);
    return (query) => {
      const wanted = query === '' ? '' : (new URLSearchParams(query).get('lang') ?? '').slice(0, 35);
      const language = nearestLanguage(languages, wanted);
      if (language === undefined) return untranslated;
      const file = translated.get(language) ?? make(language);
      translated.put(language, file);
      return file;
    };
  };
  let page: Promise<Representation> | undefined;
  /** Prepared on its first request: it takes longer than the other files if there are many announcements. */
  const historyPage = () => {
    page ??= createPageRepresentation(createHistoryPage({ brand, style, script, history, now }));
    return page;
  };
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
    '/feed.atom': feed('application/atom+xml; charset=utf-8', atomFeedText),
    '/feed.json': feed('application/feed+json', jsonFeedText),
    '/history': historyPage,
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

/** Maximum number of translated feeds kept of each kind. */
const maxTranslated = 20;

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

import { createCors, type OriginList } from '../http/cors.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { Reply } from '../http/reply.ts';
import type { Representation } from '../http/representation.ts';
import type { Context } from '../http/request.ts';
import type { Handler, RouteGroup } from '../http/router.ts';
import type { BadgeLimits } from '../settings/config.ts';
import type { Assets } from './assets.ts';
import type { PreparedContent } from './prepared-content.ts';

/** Current files by path; where a file has variants, the query chooses one. */
type Files = Readonly<Record<string, (query: string) => Representation | Promise<Representation>>>;

export interface PublicFiles {
  readonly assets: Files;
  readonly content: Files;
  readonly pages: Files;
}

/** The paths of the public files. */
export function listPublicFiles(
  brand: string,
  assets: Assets,
  demo: () => Promise<Representation>,
  prepared: () => PreparedContent,
): PublicFiles {
  return {
    assets: {
      [`/js/${brand}-inject.min.js`]: () => assets.script,
      [`/css/${brand}-inject.min.css`]: () => assets.style,
      [`/images/${brand}-logo.svg`]: () => assets.logo,
    },
    content: {
      '/content/announcement.json': () => prepared().announcement,
      '/content/banner.html': () => prepared().banner,
      '/content/active.json': () => prepared().active,
      '/content/history.json': () => prepared().history,
      '/content/shields.json': () => prepared().shield,
      [`/images/${brand}-announcement.svg`]: (query) =>
        new URLSearchParams(query).get('theme') === 'dark'
          ? prepared().picture.dark
          : prepared().picture.light,
      '/feed.atom': (query) => prepared().atomFeed(query),
      '/feed.json': (query) => prepared().jsonFeed(query),
    },
    pages: {
      '/demo': demo,
      '/history': (query) => prepared().historyPage(query),
    },
  };
}

export interface BadgeRoutesOptions {
  readonly files: PublicFiles;
  readonly countPulse: Handler;
  readonly origins: () => OriginList;
  readonly limits: BadgeLimits;
  /** Whether only this computer can reach the server. */
  readonly loopback: boolean;
  /** Path of the public URL. */
  readonly basePath: string;
}

const embeddable = ['Cross-Origin-Resource-Policy', 'cross-origin'];
/** Below these paths, even a 404 is readable for allowed pages. */
const embeddablePrefixes = ['/js/', '/css/', '/images/', '/content/'];
/** Everything that embedding sites and their readers request. */
export function createBadgeRoutes(options: BadgeRoutesOptions): RouteGroup[] {
  const { files, countPulse, origins, limits, loopback, basePath } = options;
  // People open the bare URL of the start message. Readers of a public server want the news, not the demo.
  const headers = ['Location', `${basePath}${loopback ? '/demo' : '/history'}`, 'Cache-Control', 'no-store'];
  const home: Reply = { status: 302, headers };
  const limiter = (name: keyof BadgeLimits) => createRateLimiter({ name, ...limits[name] });
  const cors = createCors(origins, 'GET, OPTIONS');
  const embedded = { cors, headers: embeddable };
  return [
    { ...embedded, routes: routesOf(files.assets), limiter: limiter('assets') },
    { ...embedded, routes: routesOf(files.content), limiter: limiter('content') },
    {
      ...embedded,
      routes: [{ method: 'GET', path: '/pulse', handler: countPulse }],
      limiter: limiter('analytics'),
    },
    {
      routes: [...routesOf(files.pages), { method: 'GET', path: '/', handler: () => home }],
      limiter: limiter('pages'),
    },
    ...embeddablePrefixes.map((prefix) => ({ ...embedded, routes: [], prefix })),
  ];
}

function routesOf(files: Files): RouteGroup['routes'] {
  return Object.entries(files).map(([path, current]) => ({
    method: 'GET' as const,
    path,
    handler: (context: Context) => {
      const file = current(context.query);
      return file instanceof Promise ? file.then((made) => made.reply(context)) : file.reply(context);
    },
  }));
}

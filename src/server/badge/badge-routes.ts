import { createCors, type OriginList } from '../http/cors.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { Reply } from '../http/reply.ts';
import type { Context } from '../http/request.ts';
import type { Handler, RouteGroup } from '../http/router.ts';
import type { BadgeLimits } from '../settings/config.ts';
import type { Files, Variants } from './prepared-content.ts';

export interface BadgeRoutesOptions {
  /** Called on every request; only the contents of the files may change, not their paths. */
  readonly files: () => Readonly<Record<'assets' | 'content' | 'pages', Files>>;
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
  const routesOf = (group: keyof ReturnType<typeof files>): RouteGroup['routes'] =>
    Object.keys(files()[group]).map((path) => ({
      method: 'GET' as const,
      path,
      handler: (context: Context) => {
        const file = (files()[group][path] as Variants)(context.query);
        return file instanceof Promise ? file.then((made) => made.reply(context)) : file.reply(context);
      },
    }));
  return [
    { ...embedded, routes: routesOf('assets'), limiter: limiter('assets') },
    { ...embedded, routes: routesOf('content'), limiter: limiter('content') },
    {
      ...embedded,
      routes: [{ method: 'GET', path: '/pulse', handler: countPulse }],
      limiter: limiter('analytics'),
    },
    {
      routes: [...routesOf('pages'), { method: 'GET', path: '/', handler: () => home }],
      limiter: limiter('pages'),
    },
    ...embeddablePrefixes.map((prefix) => ({ ...embedded, routes: [], prefix })),
  ];
}

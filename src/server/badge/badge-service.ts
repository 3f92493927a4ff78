import { readFile } from 'node:fs/promises';
import { packageFile, readPackageVersion } from '../../kit/package-files.ts';
import { createCors } from '../http/cors.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import {
  createRepresentation,
  type Representation,
  type RepresentationOptions,
} from '../http/representation.ts';
import type { Route, RouteGroup } from '../http/router.ts';
import { type BadgeLimits, basePathOf, type ServeConfig } from '../settings/config.ts';
import type { Pulse } from '../stores/pulse.ts';
import { type LiveContentOptions, openLiveContent } from './live-content.ts';
import { createDemoPage } from './pages/demo-page.ts';
import { readPageParts } from './pages/page.ts';
import { type Logo, picturePolicy, readLogo } from './pictures/logo.ts';
import { createPageRepresentation, type Files, type Variants } from './prepared-content.ts';
import { createPulseHandler } from './pulse-handler.ts';

export interface BadgeServiceOptions
  extends Pick<LiveContentOptions, 'content' | 'copy' | 'loopback' | 'log' | 'now'> {
  readonly config: ServeConfig;
  readonly pulse: Pick<Pulse, 'count'>;
  /** Public URL of this server, without a trailing slash. */
  readonly baseUrl: string;
  /** Why other parts of this server are not ready for requests, a sentence each. Default: they always are. */
  readonly problems?: () => readonly string[];
}

/** The announcement badge service: everything but the listener. Rejects if the content cannot be read. */
export async function createBadgeService(options: BadgeServiceOptions) {
  const { config, baseUrl, loopback, now = Date.now, problems = () => [] } = options;
  const { brand, allowOrigin, badgeLimits, badgeLimit } = config;
  const limits = badgeLimit ? { ...badgeLimits, assets: badgeLimit, content: badgeLimit } : badgeLimits;
  const [parts, logo] = await Promise.all([readPageParts(), readLogo(config)]);
  const branding = { brand, baseUrl, logo: logo.svg, ...parts };
  const [assets, content] = await Promise.all([
    loadAssets(logo, brand),
    openLiveContent({ ...options, allowOrigin, branding }),
  ]);
  const { prepared, origins } = content;
  let demo: Promise<Representation> | undefined;
  /** Prepared on the first request: it takes longer than everything else at a start. */
  const demoPage = () => {
    demo ??= createPageRepresentation(createDemoPage(brand, baseUrl, parts));
    return demo;
  };
  const countPulse = createPulseHandler({
    pulse: options.pulse,
    origins,
    publicIds: () => prepared().publicIds,
    now,
  });
  const fixed: Files = { ...assets, '/demo': demoPage };
  /** Only the contents of the files may change, not their paths. */
  const routeTo = (path: string): Route => ({
    method: 'GET',
    path,
    handler: async (context) => {
      const file = fixed[path] ?? (prepared().files[path] as Variants);
      return (await file(context.query)).reply(context);
    },
  });
  const publicPaths = [...Object.keys(fixed), ...Object.keys(prepared().files)];
  const contentPaths = Object.keys(prepared().files).filter((path) => path !== '/history');
  // People open the bare URL of the start message. Readers of a public server want the news, not the demo.
  const home = `${basePathOf(config)}${loopback && config.publicUrl === undefined ? '/demo' : '/history'}`;
  const toHome: Reply = { status: 302, headers: ['Location', home, 'Cache-Control', 'no-store'] };
  const limiter = (name: keyof BadgeLimits) => createRateLimiter({ name, ...limits[name] });
  const embedded = { cors: createCors(origins, 'GET, OPTIONS'), headers: embeddable };
  const allProblems = () => [...content.problems(), ...problems()];

  const groups: readonly RouteGroup[] = [
    { ...embedded, routes: Object.keys(assets).map(routeTo), limiter: limiter('assets') },
    { ...embedded, routes: contentPaths.map(routeTo), limiter: limiter('content') },
    {
      ...embedded,
      routes: [{ method: 'GET', path: '/pulse', handler: countPulse }],
      limiter: limiter('analytics'),
    },
    {
      routes: [...['/demo', '/history'].map(routeTo), { method: 'GET', path: '/', handler: () => toHome }],
      limiter: limiter('pages'),
    },
    ...embeddablePrefixes.map((prefix) => ({ ...embedded, routes: [], prefix })),
    createHealthGroup(allProblems),
  ];
  return { ...content, groups, publicPaths, problems: allProblems };
}

const embeddable = ['Cross-Origin-Resource-Policy', 'cross-origin'];
/** Below these paths, even a 404 is readable for allowed pages. */
const embeddablePrefixes = ['/js/', '/css/', '/images/', '/content/'];

const alive: Reply = {
  status: 200,
  headers: ['Content-Type', 'text/plain', 'Cache-Control', 'no-store'],
  body: 'OK',
};

/** `/health`: the process answers. `/health/ready`: content is valid and the store answers, or why not. */
function createHealthGroup(problems: () => readonly string[]): RouteGroup {
  const version = readPackageVersion();
  const ready = () => {
    const reasons = problems();
    return reasons.length === 0
      ? jsonReply(200, { status: 'ready', version })
      : jsonReply(503, { status: 'unready', reasons });
  };
  return {
    routes: [
      { method: 'GET', path: '/health', handler: () => alive },
      { method: 'GET', path: '/health/ready', handler: ready },
    ],
  };
}

const shortCaching = 'public, max-age=3600, must-revalidate';
const longCaching = 'public, max-age=604800, immutable';

/**
 * Reads the three files that a site embeds, and compresses those that the build has not. The stylesheet names
 * a logo that is an image; without one, a first view needs no request for it.
 */
async function loadAssets(logo: Logo, brand: string): Promise<Files> {
  const [script, built] = await Promise.all([readBuilt('inject.min.js'), readBuilt('inject.min.css')]);
  const image = `[part=logo]{content:var(--typebadge-logo,url(../images/${brand}-logo.svg));background:0 0;box-shadow:none}`;
  const style = logo.isLetter ? built : { body: `${built.body}${image}`, brotli: undefined };
  const [scriptFile, styleFile, logoFile] = await Promise.all([
    createRepresentation({ ...script, type: 'application/javascript', cacheControl: shortCaching }),
    createRepresentation({ ...style, type: 'text/css', cacheControl: shortCaching }),
    createRepresentation({
      body: logo.svg,
      type: 'image/svg+xml',
      cacheControl: longCaching,
      headers: ['Content-Security-Policy', picturePolicy],
    }),
  ]);
  return {
    [`/js/${brand}-inject.min.js`]: () => scriptFile,
    [`/css/${brand}-inject.min.css`]: () => styleFile,
    [`/images/${brand}-logo.svg`]: () => logoFile,
  };
}

/** A file of the build, compressed at build time, because that takes as long as reading the content. */
async function readBuilt(name: string): Promise<Pick<RepresentationOptions, 'body' | 'brotli'>> {
  const file = packageFile('dist', 'badge', name);
  const [body, brotli] = await Promise.all([
    readFile(file),
    readFile(`${file}.br`).catch(() => undefined), // missing in builds that skip compression
  ]);
  return { body, brotli };
}

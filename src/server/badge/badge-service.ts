import { readPackageVersion } from '../../kit/package-files.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { Representation } from '../http/representation.ts';
import type { RouteGroup } from '../http/router.ts';
import { basePathOf, type ServeConfig } from '../settings/config.ts';
import type { Pulse } from '../stores/pulse.ts';
import { loadAssets } from './assets.ts';
import { createBadgeRoutes } from './badge-routes.ts';
import { type LiveContent, type LiveContentOptions, openLiveContent } from './live-content.ts';
import { createDemoPage } from './pages/demo-page.ts';
import { readPageParts } from './pages/page.ts';
import { readLogo } from './pictures/logo.ts';
import { createPageRepresentation } from './prepared-content.ts';
import { createPulseHandler } from './pulse-handler.ts';

export interface BadgeServiceOptions
  extends Pick<LiveContentOptions, 'content' | 'copy' | 'readHistory' | 'loopback' | 'log' | 'now'> {
  readonly config: ServeConfig;
  readonly pulse: Pick<Pulse, 'count'>;
  /** Public URL of this server, without a trailing slash. */
  readonly baseUrl: string;
  /** Why other parts of this server are not ready for requests, a sentence each. Default: they always are. */
  readonly problems?: () => readonly string[];
}

/** The content as currently served; its allow-list is that of the typing API, too. */
export interface BadgeService extends Omit<LiveContent, 'prepared'> {
  readonly groups: readonly RouteGroup[];
  /** The path of every public file. */
  readonly publicPaths: readonly string[];
}

/** The announcement badge service: everything but the listener. Rejects if the content cannot be read. */
export async function createBadgeService(options: BadgeServiceOptions): Promise<BadgeService> {
  const { config, baseUrl, loopback, now = Date.now, problems = () => [] } = options;
  const { brand, allowOrigin, badgeLimit } = config;
  const limits =
    badgeLimit === undefined
      ? config.badgeLimits
      : { ...config.badgeLimits, assets: badgeLimit, content: badgeLimit };
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
  const files = () => {
    const { content, pages } = prepared().files;
    return { assets, content, pages: { '/demo': demoPage, ...pages } };
  };
  const allProblems = () => [...content.problems(), ...problems()];
  const health = createHealthGroup(allProblems);

  return {
    groups: [
      ...createBadgeRoutes({ files, countPulse, origins, limits, loopback, basePath: basePathOf(config) }),
      health,
    ],
    publicPaths: Object.values(files()).flatMap(Object.keys),
    ...content,
    problems: allProblems,
  };
}

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

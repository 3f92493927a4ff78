import { join } from 'node:path';
import type { ServeConfig } from '../config.ts';
import type { Context } from '../http/context.ts';
import { createCors } from '../http/cors.ts';
import type { OriginList } from '../http/origins.ts';
import type { Reply } from '../http/reply.ts';
import type { Representation } from '../http/representation.ts';
import type { RouteGroup } from '../http/router.ts';
import { createRateLimiter } from '../http/token-bucket.ts';
import type { Log } from '../log.ts';
import { loadAssets } from './assets.ts';
import { createDemoRepresentation } from './demo-representation.ts';
import { openLiveContent } from './live-content.ts';
import { readPageParts } from './page-parts.ts';
import { createPulse } from './pulse.ts';
import { createPulseHandler } from './pulse-handler.ts';

export interface BadgeServiceOptions {
  readonly config: ServeConfig;
  readonly contentDir: string;
  /** Where this server is reached, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the server listens on a loopback address only. */
  readonly loopback: boolean;
  readonly log: Log;
  /** Epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

export interface BadgeService {
  readonly groups: readonly RouteGroup[];
  /** The allow-list as it stands, for the other API. */
  origins(): OriginList;
  /** Every public file by its path, as the server answers it now. */
  publicFiles(): ReadonlyMap<string, Representation>;
  /** Saves the counters and stops watching the content. */
  close(): Promise<void>;
}

/** Pulse counts are saved at least this often, in milliseconds. */
const pulseSaveEvery = 4_000;

const embeddable = ['Cross-Origin-Resource-Policy', 'cross-origin'];

/** The announcement badge service: everything but the listener. Rejects where the content cannot be read. */
export async function createBadgeService(options: BadgeServiceOptions): Promise<BadgeService> {
  const { config, contentDir, baseUrl, loopback, log, now = Date.now } = options;
  const { brand, allowOrigin } = config;
  const assetsLoading = loadAssets(contentDir);
  const parts = await readPageParts();
  const face = { brand, baseUrl, historyStyle: parts.historyStyle };
  const [assets, content] = await Promise.all([
    assetsLoading,
    openLiveContent({ dir: contentDir, allowOrigin, loopback, face, log, now }),
  ]);
  const demo = await createDemoRepresentation(face, assets, content.prepared().announcement, parts);
  const pulse = createPulse({
    dir: join(config.data, 'pulse'),
    now,
    onProblem: (problem) => log.error(`pulse counts could not be saved, trying again: ${problem.message}`),
  });
  const pulseTimer = setInterval(() => void pulse.save(), pulseSaveEvery).unref();

  const cors = createCors({
    origins: content.origins,
    methods: 'GET, OPTIONS',
    headers: 'Accept, Content-Type',
    maxAge: 86_400,
  });
  const assetFiles = {
    [`/js/${brand}-inject.min.js`]: () => assets.script,
    [`/css/${brand}-inject.min.css`]: () => assets.style,
    [`/images/${brand}-logo.svg`]: () => assets.logo,
  };
  const contentFiles = {
    '/content/announcement.json': () => content.prepared().announcement,
    '/content/history.json': () => content.prepared().history,
    '/feed.atom': () => content.prepared().atomFeed,
    '/feed.json': () => content.prepared().jsonFeed,
  };
  const pageFiles = {
    '/demo': () => demo,
    '/history': () => content.prepared().historyPage,
  };
  const { badgeLimits } = config;
  const limiter = (name: keyof typeof badgeLimits) => createRateLimiter({ name, ...badgeLimits[name] });
  const countPulse = createPulseHandler({
    pulse,
    origins: content.origins,
    publicIds: () => content.prepared().publicIds,
  });

  const groups: RouteGroup[] = [
    { routes: toRoutes(assetFiles), cors, limiter: limiter('assets'), headers: embeddable },
    { routes: toRoutes(contentFiles), cors, limiter: limiter('content'), headers: embeddable },
    {
      routes: [{ method: 'GET', path: '/pulse', handler: countPulse }],
      cors,
      limiter: limiter('analytics'),
      headers: embeddable,
    },
    {
      routes: [...toRoutes(pageFiles), { method: 'GET', path: '/', handler: () => toDemo }],
      limiter: limiter('pages'),
    },
    { routes: [{ method: 'GET', path: '/health', handler: () => healthReply }] },
    // What is not there still tells an allowed page so.
    ...['/js/', '/css/', '/images/', '/content/'].map((prefix) => ({
      routes: [],
      prefix,
      cors,
      headers: embeddable,
    })),
  ];

  return {
    groups,
    origins: content.origins,
    publicFiles: () =>
      new Map(
        Object.entries({ ...assetFiles, ...contentFiles, ...pageFiles }).map(([path, current]) => [
          path,
          current(),
        ]),
      ),
    async close() {
      content.close();
      clearInterval(pulseTimer);
      await pulse.save();
    },
  };
}

const healthReply: Reply = {
  status: 200,
  headers: ['Content-Type', 'text/plain', 'Cache-Control', 'no-store'],
  body: 'OK',
};

/** The start message shows the bare address, and people open it. */
const toDemo: Reply = { status: 302, headers: ['Location', '/demo', 'Cache-Control', 'no-store'] };

function toRoutes(files: Readonly<Record<string, () => Representation>>): RouteGroup['routes'] {
  return Object.entries(files).map(([path, current]) => ({
    method: 'GET' as const,
    path,
    handler: (context: Context) => current().reply(context),
  }));
}

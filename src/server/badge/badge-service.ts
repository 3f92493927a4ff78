import type { HistoryFile } from '../../announcements/announcement.ts';
import { readPackageVersion } from '../../kit/package-files.ts';
import type { OriginList } from '../http/cors.ts';
import type { Representation } from '../http/representation.ts';
import type { RouteGroup } from '../http/router.ts';
import { basePathOf, type ServeConfig } from '../settings/config.ts';
import type { Log } from '../settings/log.ts';
import type { Content } from '../stores/content/content.ts';
import type { ContentCopy } from '../stores/content/content-copy.ts';
import type { HistoryReader } from '../stores/content/history-file.ts';
import type { Pulse } from '../stores/pulse.ts';
import { loadAssets } from './assets.ts';
import { createBadgeRoutes, listPublicFiles } from './badge-routes.ts';
import { createDemoRepresentation } from './demo-representation.ts';
import { createHealthGroup } from './health.ts';
import { type ContentWatch, openLiveContent } from './live-content.ts';
import { readPageParts } from './pages/page-parts.ts';
import { readLogo } from './pictures/logo.ts';
import { createPulseHandler } from './pulse-handler.ts';

export interface BadgeServiceOptions {
  readonly config: ServeConfig;
  /** Content folder; a logo in it replaces that of the package. */
  readonly contentDir: string | undefined;
  readonly content: Content;
  /** See `Stores`. */
  readonly contentCopy?: ContentCopy | undefined;
  /** See `LiveContentOptions`. */
  readonly readHistory?: HistoryReader | undefined;
  readonly pulse: Pick<Pulse, 'count'>;
  /** Public URL of this server, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the server listens on a loopback address only. */
  readonly loopback: boolean;
  readonly log: Log;
  /** See `ContentWatch`. Default: regularly. */
  readonly watch?: ContentWatch | undefined;
  /** Epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
  /** Why other parts of this server are not ready for requests, a sentence each. Default: they always are. */
  readonly problems?: () => readonly string[];
}

export interface BadgeService {
  readonly groups: readonly RouteGroup[];
  /** The announcements as currently served. */
  history(): HistoryFile;
  /** The current allow-list, which the typing API uses too. */
  origins(): OriginList;
  /** Number of content changes read so far. */
  revision(): number;
  /** Why this server is not ready for requests, a sentence each; empty if it is. */
  problems(): readonly string[];
  /** The path of every public file. */
  readonly publicPaths: readonly string[];
  /** Reads at once whatever has changed in the content. */
  look(): Promise<void>;
  /** The same, unless it has just been done: see `LiveContent`. */
  lookIfDue(): Promise<void> | undefined;
  /** Reads the content again, changed or not. */
  reload(): Promise<void>;
  /** Stops watching the content. */
  close(): void;
}

/** The announcement badge service: everything but the listener. Rejects if the content cannot be read. */
export async function createBadgeService(options: BadgeServiceOptions): Promise<BadgeService> {
  const { config, baseUrl, loopback, log, now = Date.now, problems = () => [] } = options;
  const { brand, allowOrigin, badgeLimit } = config;
  const limits =
    badgeLimit === undefined
      ? config.badgeLimits
      : { ...config.badgeLimits, assets: badgeLimit, content: badgeLimit };
  const [parts, logo] = await Promise.all([
    readPageParts(),
    readLogo({ file: config.logo, contentDir: options.contentDir, brand }),
  ]);
  const face = {
    brand,
    baseUrl,
    logo: logo.svg,
    historyStyle: parts.historyStyle,
    historyScript: parts.historyScript,
  };
  const [assets, content] = await Promise.all([
    loadAssets(logo, brand),
    openLiveContent({
      content: options.content,
      copy: options.contentCopy,
      readHistory: options.readHistory,
      allowOrigin,
      loopback,
      face,
      log,
      watch: options.watch,
      now,
    }),
  ]);
  const { prepared, origins } = content;
  let demo: Promise<Representation> | undefined;
  /** Made on the first request: preparing it would take longer than everything else at a start. */
  const demoPage = () => {
    demo ??= createDemoRepresentation(face, assets, prepared().active, parts);
    return demo;
  };
  const countPulse = createPulseHandler({
    pulse: options.pulse,
    origins,
    publicIds: () => prepared().publicIds,
    now,
  });
  const files = listPublicFiles(brand, assets, demoPage, prepared);
  const allProblems = () => [...content.problems(), ...problems()];
  const health = createHealthGroup({ version: readPackageVersion(), problems: allProblems });

  return {
    groups: [
      ...createBadgeRoutes({ files, countPulse, origins, limits, loopback, basePath: basePathOf(config) }),
      health,
    ],
    history: content.history,
    origins,
    revision: content.revision,
    problems: allProblems,
    publicPaths: Object.keys({ ...files.assets, ...files.content, ...files.pages }),
    look: content.look,
    lookIfDue: content.lookIfDue,
    reload: content.reload,
    close: content.close,
  };
}

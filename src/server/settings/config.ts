import envPaths from 'env-paths';
import type { AddressRanges } from '../../kit/address.ts';
import type { OriginPattern } from '../../kit/origin-pattern.ts';
import { limits } from './limits.ts';
import type { StoreAddress } from './store-url.ts';

export type LogFormat = 'pretty' | 'json' | 'off';

/** Requests per second, and how many may arrive at once. */
export interface Rate {
  readonly rate: number;
  readonly burst: number;
}

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** All settings of a server. `newServeConfig` fills in the defaults. */
export interface ServeConfig {
  /** TCP port; 0: any free one. Default: 8787. */
  readonly port: number;
  /** Address to bind. Default: 127.0.0.1. */
  readonly host: string;
  /** Used in the names of the three assets. Default: typebadge. */
  readonly brand: string;
  /** File of the operator's own logo, SVG or PNG; undefined: that of the brand. */
  readonly logo: string | undefined;
  /** Content folder; undefined: look for one. */
  readonly content: string | undefined;
  /**
   * Public URL of this server, perhaps with a path, without a trailing slash; undefined: made from the
   * address it listens on.
   */
  readonly publicUrl: string | undefined;
  /** Folder for rounds, open sessions and counters. Default: the user's data folder. */
  readonly data: string;
  /** Origins allowed in addition to those of `origins.json`. */
  readonly allowOrigin: readonly OriginPattern[];
  /** Host names served in addition to the loopback ones. */
  readonly allowHost: readonly string[];
  /** Trusted proxies, whose `X-Forwarded-For` counts; undefined: none. */
  readonly trustProxy: AddressRanges | undefined;
  /**
   * Connections that one client may have; undefined: 200, with loopback and trusted proxies exempt. An
   * explicit number applies to those too.
   */
  readonly maxConnectionsPerClient: number | undefined;
  /** Limit of the typing API; undefined: `networkLimit` if strangers can reach the server, else none. */
  readonly apiLimit: Rate | 'off' | undefined;
  /** Limit of assets and content, instead of those in `badgeLimits`; for offices behind one address. */
  readonly badgeLimit: Rate | undefined;
  /** Limits of the badge service. Default: those in the documentation. */
  readonly badgeLimits: BadgeLimits;
  /** Default: pretty. */
  readonly log: LogFormat;
  /** Whether every request gets a line in the log. Default: false. */
  readonly verbose: boolean;
  /** Milliseconds after which an unused session is closed. Default: 24 h. */
  readonly sessionTtl: number;
  /** Most open sessions. Default: 10,000. */
  readonly maxSessions: number;
  /** Most disk space of all finished rounds together, in bytes. Default: 1 GiB. */
  readonly roundQuota: number;
  /**
   * Most open sessions of one player, and of one client; only if strangers can reach the server. Default: 50.
   */
  readonly maxSessionsPerClient: number;
  /**
   * Milliseconds that finished rounds are kept; only if strangers can reach the server. Default: 400 days.
   */
  readonly keepRounds: number;
  /** Whether the typing API is served. Default: on. */
  readonly typing: 'on' | 'off';
  /** Whether the page for editors is served; their API always is. Default: on. */
  readonly desk: 'on' | 'off';
  /** Makes the choice of words repeatable; undefined: random. */
  readonly seed: number | undefined;
  /** The store that several servers share; undefined: files in the data folder. */
  readonly store: StoreAddress | undefined;
  /** Prefix of all keys in the store. Default: typebadge. */
  readonly storePrefix: string;
  /** URLs that are notified of what happens to announcements. */
  readonly webhook: readonly string[];
  /** Key that signs webhooks, 24 to 64 bytes; required if there are any. */
  readonly webhookSecret: Buffer | undefined;
  /** Processes that share the port; undefined: only this one. */
  readonly workers: number | undefined;
  /** Address of the figures for Prometheus; undefined: they are off, at no cost. */
  readonly metrics: ListenAddress | undefined;
}

export interface BadgeLimits {
  readonly assets: Rate;
  readonly content: Rate;
  readonly analytics: Rate;
  readonly pages: Rate;
}

const documentedLimits: BadgeLimits = {
  assets: { rate: 10, burst: 20 },
  content: { rate: 10, burst: 20 },
  analytics: { rate: 30, burst: 50 },
  pages: { rate: 10, burst: 20 },
};

/** The same of the typing API where strangers can reach the server. */
export const networkLimit: Rate = { rate: 100, burst: 200 };

/** A configuration with the defaults for everything that is not given. */
export function newServeConfig(given: Partial<ServeConfig> = {}): ServeConfig {
  return {
    port: 8787,
    host: '127.0.0.1',
    brand: 'typebadge',
    logo: undefined,
    content: undefined,
    publicUrl: undefined,
    data: defaultDataFolder(),
    allowOrigin: [],
    allowHost: [],
    trustProxy: undefined,
    maxConnectionsPerClient: undefined,
    apiLimit: undefined,
    badgeLimit: undefined,
    badgeLimits: documentedLimits,
    log: 'pretty',
    verbose: false,
    sessionTtl: 24 * 60 * 60 * 1000,
    maxSessions: limits.sessions,
    roundQuota: 1024 * 1024 * 1024,
    maxSessionsPerClient: limits.clientSessions,
    keepRounds: 400 * 24 * 60 * 60 * 1000,
    typing: 'on',
    desk: 'on',
    seed: undefined,
    store: undefined,
    storePrefix: 'typebadge',
    webhook: [],
    webhookSecret: undefined,
    workers: undefined,
    metrics: undefined,
    ...given,
  };
}

/** The user's own data folder: XDG on Linux, the platform's convention elsewhere. */
export function defaultDataFolder(): string {
  return envPaths('typebadge', { suffix: '' }).data;
}

/** Whether a server bound to this address can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether strangers can reach the server: from other machines, or through a proxy on this one. */
export function isExposed({ host, trustProxy }: Pick<ServeConfig, 'host' | 'trustProxy'>): boolean {
  return !isLoopback(host) || trustProxy !== undefined;
}

/** The path of the public URL, such as `/badge`; empty if it has none. */
export function basePathOf({ publicUrl }: Pick<ServeConfig, 'publicUrl'>): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

import envPaths from 'env-paths';
import type { OriginPattern } from '../../kit/origin-pattern.ts';
import type { AddressRanges } from '../http/addresses/address-ranges.ts';
import type { StoreAddress } from './store-url.ts';

export type LogFormat = 'pretty' | 'json' | 'off';

/** Requests per second, and how many may come at once. */
export interface Rate {
  readonly rate: number;
  readonly burst: number;
}

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** All settings of a server. `newServeConfig` fills in the defaults. */
export interface ServeConfig {
  /** TCP port; 0 takes a free one. Default: 8787. */
  readonly port: number;
  /** Address to bind. Default: 127.0.0.1. */
  readonly host: string;
  /** Names the three assets. Default: typebadge. */
  readonly brand: string;
  /** The file of a logo of one's own, SVG or PNG; undefined: the mark of the brand. */
  readonly logo: string | undefined;
  /** Content folder; undefined means: find one. */
  readonly content: string | undefined;
  /** Public URL of this server, without a trailing slash; undefined means: as it listens. */
  readonly publicUrl: string | undefined;
  /** Folder for rounds, open sessions and counters. Default: the user's data folder. */
  readonly data: string;
  /** Origins allowed beside those of `origins.json`. */
  readonly allowOrigin: readonly OriginPattern[];
  /** Host names served beside the loopback ones. */
  readonly allowHost: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed; undefined believes none. */
  readonly trustProxy: AddressRanges | undefined;
  /**
   * Connections that one client may hold; undefined means: 200, with loopback and trusted proxies exempt. A number given
   * applies to those too.
   */
  readonly maxConnectionsPerClient: number | undefined;
  /** Limit of the typing API; undefined means: 100/s with a burst of 200 where strangers can reach the server, else none. */
  readonly apiLimit: Rate | 'off' | undefined;
  /** Limits of the badge service. Default: the documented ones. */
  readonly badgeLimits: BadgeLimits;
  /** Default: pretty. */
  readonly log: LogFormat;
  /** Whether every request gets a line in the log. Default: false. */
  readonly verbose: boolean;
  /** Milliseconds after which an unused session goes. Default: 24 h. */
  readonly sessionTtl: number;
  /** Open sessions at once. Default: 10,000. */
  readonly maxSessions: number;
  /** Bytes that all open sessions together may take. Default: 64 MiB. */
  readonly sessionMemory: number;
  /** Bytes on disk that all finished rounds together may take. Default: 1 GiB. */
  readonly roundQuota: number;
  /** Open sessions at once of one player, and of one client; only where strangers can reach the server. Default: 50. */
  readonly maxSessionsPerClient: number;
  /** Milliseconds that finished rounds are kept; only where strangers can reach the server. Default: 400 days. */
  readonly keepRounds: number;
  /** Whether the typing API is served. Default: on. */
  readonly typing: 'on' | 'off';
  /** Makes the choice of words repeatable; undefined means: random. */
  readonly seed: number | undefined;
  /** The store that servers share; undefined: the files of the data folder. */
  readonly store: StoreAddress | undefined;
  /** Begins the name of everything in the store. Default: typebadge. */
  readonly storePrefix: string;
  /** URLs that are notified of what happens to announcements. */
  readonly webhook: readonly string[];
  /** What webhooks are signed with, 24 to 64 bytes; needed where there are any. */
  readonly webhookSecret: Buffer | undefined;
  /** Processes that share the port; undefined means: this one alone. */
  readonly workers: number | undefined;
  /** Where the figures for Prometheus are; undefined: nowhere, at no cost. */
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

/** A configuration with the documented defaults for everything not given. */
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
    badgeLimits: documentedLimits,
    log: 'pretty',
    verbose: false,
    sessionTtl: 24 * 60 * 60 * 1000,
    maxSessions: 10_000,
    sessionMemory: 64 * 1024 * 1024,
    roundQuota: 1024 * 1024 * 1024,
    maxSessionsPerClient: 50,
    keepRounds: 400 * 24 * 60 * 60 * 1000,
    typing: 'on',
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

/** The user's own data folder: XDG on Linux, the platform's custom elsewhere. */
export function defaultDataFolder(): string {
  return envPaths('typebadge', { suffix: '' }).data;
}

/** Whether a server bound to this address is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether strangers can reach the server: from other machines, or through a proxy on this one. */
export function isExposed({ host, trustProxy }: Pick<ServeConfig, 'host' | 'trustProxy'>): boolean {
  return !isLoopback(host) || trustProxy !== undefined;
}

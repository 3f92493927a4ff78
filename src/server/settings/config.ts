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

/** All settings of a server; `serve --help` says what they mean, and `newServeConfig` has the defaults. */
export interface ServeConfig {
  readonly port: number;
  readonly host: string;
  readonly brand: string;
  readonly logo: string | undefined;
  /** Undefined: see `resolveContentFolder`. */
  readonly content: string | undefined;
  /** Without a trailing slash; undefined: made from the address that the server listens on. */
  readonly publicUrl: string | undefined;
  readonly data: string;
  /** In addition to the origins of `origins.json`. */
  readonly allowOrigin: readonly OriginPattern[];
  /** In addition to the loopback names. */
  readonly allowHost: readonly string[];
  readonly trustProxy: AddressRanges | undefined;
  /** Undefined: as in `limits`, with loopback and trusted proxies exempt; a number applies to those too. */
  readonly maxConnectionsPerClient: number | undefined;
  /** Undefined: `networkLimit` if the server is exposed, else none. */
  readonly apiLimit: Rate | 'off' | undefined;
  /** For assets and content, in place of those in `badgeLimits`; for offices behind one address. */
  readonly badgeLimit: Rate | undefined;
  readonly badgeLimits: BadgeLimits;
  readonly log: LogFormat;
  readonly verbose: boolean;
  /** Milliseconds. */
  readonly sessionTtl: number;
  readonly maxSessions: number;
  /** Bytes. */
  readonly roundQuota: number;
  /** Of one player, and of one client; only if the server is exposed. */
  readonly maxSessionsPerClient: number;
  /** Milliseconds; only if the server is exposed. */
  readonly keepRounds: number;
  readonly typing: 'on' | 'off';
  /** The page; the editors' API is always served. */
  readonly desk: 'on' | 'off';
  readonly seed: number | undefined;
  /** Undefined: files in the data folder. */
  readonly store: StoreAddress | undefined;
  readonly storePrefix: string;
  readonly webhook: readonly string[];
  /** 24 to 64 bytes; required if there are webhooks. */
  readonly webhookSecret: Buffer | undefined;
  /** Undefined: only this process. */
  readonly workers: number | undefined;
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

/** The limit of the typing API if the server is exposed. */
export const networkLimit: Rate = { rate: 100, burst: 200 };

/** A configuration with the defaults for everything that is not set. */
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

/** Whether others can reach the server: from other machines, or through a proxy on this one. */
export function isExposed({ host, trustProxy }: Pick<ServeConfig, 'host' | 'trustProxy'>): boolean {
  return !isLoopback(host) || trustProxy !== undefined;
}

/** The path of the public URL, such as `/badge`; empty if it has none. */
export function basePathOf({ publicUrl }: Pick<ServeConfig, 'publicUrl'>): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

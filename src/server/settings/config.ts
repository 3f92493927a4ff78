import envPaths from 'env-paths';
import * as values from './config-parsers.ts';
import { limits } from './limits.ts';
import { parseStoreUrl } from './store-url.ts';

type Parser<Value> = (text: string) => Value;

/** One setting of a server: an option of `serve` and a `TYPEBADGE_…` variable, both named by its key. */
interface Setting<Value> {
  /** Of the option's value, such as `<address>`; empty for a switch. */
  readonly notation: string;
  /** For the help, with the default. */
  readonly about: string;
  readonly parse: Parser<unknown>;
  /** Whether repeated uses add up. */
  readonly isList: boolean;
  readonly usual: Value;
}

function setting<Value>(notation: string, about: string, parse: Parser<Value>): Setting<Value | undefined>;
function setting<Value>(notation: string, about: string, parse: Parser<Value>, text: string): Setting<Value>;
function setting(notation: string, about: string, parse: Parser<unknown>, text?: string) {
  const given = { notation, parse, isList: false };
  if (text === undefined) return { ...given, about, usual: undefined };
  return { ...given, about: `${about} (default: ${text})`, usual: parse(text) };
}

function list<Value>(notation: string, about: string, parse: Parser<Value[]>): Setting<readonly Value[]> {
  return { notation, about: `${about}; repeatable`, parse, isList: true, usual: [] };
}

const onOff = values.oneOf('on', 'off');

/** Every setting, in the order of the help: address and content; access and limits; typing; operation. */
export const settings = {
  port: setting('<number>', 'port to listen on; 0 takes a free one', values.parsePort, '8787'),
  host: setting('<address>', 'address to bind', values.parseHost, '127.0.0.1'),
  brand: setting('<name>', 'name of script, stylesheet and logo', values.parseBrand, 'typebadge'),
  logo: setting('<file>', 'logo of your own, SVG or PNG of at most 32 KiB', String),
  content: setting(
    '<folder>',
    'the content folder: announcements, allow-list and editors (default: ./content or your own)',
    String,
  ),
  /** Without a trailing slash; undefined: made from the address that the server listens on. */
  publicUrl: setting('<url>', 'public URL, perhaps with a path, for feeds and tags', values.parsePublicUrl),
  data: setting(
    '<folder>',
    'the data folder: typing results, open sessions and counters (default: your own)',
    String,
  ),

  allowOrigin: list('<origin>', 'a site that may embed the badge', values.parseAllowedOrigins),
  allowHost: list('<name>', 'another host name to answer to', values.parseAllowedHosts),
  /** A number applies to loopback and trusted proxies, too. */
  maxConnectionsPerClient: setting(
    '<count>',
    `connections that one client may hold (default: ${limits.clientConnections}; loopback and trusted proxies exempt)`,
    values.parseCount,
  ),
  badgeLimit: setting(
    '<rate:burst>',
    "requests a second, and at once, that a client may send for the badge's files and content (default: 10:20)",
    values.parseRate,
  ),
  trustProxy: setting('<cidrs>', 'trusted proxies: their X-Forwarded-For counts', values.parseTrustProxy),

  apiLimit: setting(
    '<rate:burst>',
    'requests a second, and at once, that a client may send to the typing API, or "off" (default: 100:200; none on loopback)',
    values.parseApiLimit,
  ),
  sessionTtl: setting('<span>', 'how long an unused typing session lives', values.parseDuration, '24h'),
  maxSessions: setting('<count>', 'typing sessions open at once', values.parseCount, `${limits.sessions}`),
  /** This setting and the next apply only if the server is exposed. */
  maxSessionsPerClient: setting(
    '<count>',
    'open sessions per player or address',
    values.parseCount,
    `${limits.clientSessions}`,
  ),
  keepRounds: setting('<span>', 'how long rounds of remote players are kept', values.parseDuration, '400d'),
  typing: setting('<on|off>', 'off serves the badge without the typing API', onOff, 'on'),

  /** The page; the editors' API is always served. */
  desk: setting('<on|off>', 'off serves no page for editors at /desk', onOff, 'on'),
  store: setting(
    '<url>',
    'Redis or Valkey that several servers share, such as redis://127.0.0.1:6379',
    parseStoreUrl,
  ),
  storePrefix: setting('<name>', 'prefix of every key in the store', values.parseStorePrefix, 'typebadge'),
  workers: setting('<count>', 'processes that share the port and the data, or "auto"', values.parseWorkers),
  metrics: setting(
    '<host:port>',
    'serve metrics for Prometheus at /metrics there, such as 127.0.0.1:9464 (default: off)',
    values.parseListenAddress,
  ),
  roundQuota: setting('<size>', 'disk space of all finished rounds', values.parseSize, '1GiB'),
  webhook: list(
    '<url>',
    'tell this address when announcements start, change and end; https; signed with TYPEBADGE_WEBHOOK_SECRET',
    values.parseWebhooks,
  ),
  seed: setting('<number>', 'seed for a repeatable choice of words', values.parseSeed),
  log: setting('<pretty|json|off>', 'format of the log', values.oneOf('pretty', 'json', 'off'), 'pretty'),
  verbose: {
    ...{ notation: '', about: 'log every request, and which folders are used', isList: false },
    ...{ parse: Boolean, usual: false as boolean },
  },
} as const;

type SettingValues = { readonly [N in keyof typeof settings]: (typeof settings)[N]['usual'] };

/** All settings of a server. Spans are in milliseconds, sizes in bytes. */
export interface ServeConfig extends Omit<SettingValues, 'data'> {
  readonly data: string;
  /** Those of the document; `badgeLimit` changes assets and content. */
  readonly badgeLimits: BadgeLimits;
  /** 24 to 64 bytes; required if there are webhooks. */
  readonly webhookSecret: Buffer | undefined;
}

export type BadgeLimits = Readonly<Record<'assets' | 'content' | 'analytics' | 'pages', values.Rate>>;

const documentedLimits: BadgeLimits = {
  assets: { rate: 10, burst: 20 },
  content: { rate: 10, burst: 20 },
  analytics: { rate: 30, burst: 50 },
  pages: { rate: 10, burst: 20 },
};

export const networkLimit: values.Rate = { rate: 100, burst: 200 };

/** A configuration with the defaults for everything that is not set. */
export function newServeConfig(given: Partial<ServeConfig> = {}): ServeConfig {
  const usual = Object.entries(settings).map(([name, setting]) => [name, setting.usual]);
  return {
    ...(Object.fromEntries(usual) as SettingValues),
    data: defaultDataFolder(),
    badgeLimits: documentedLimits,
    webhookSecret: undefined,
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

import { InvalidArgumentError, Option } from 'commander';
import * as values from '../../server/settings/config-parsers.ts';
import { limits } from '../../server/settings/limits.ts';
import { parseStoreUrl } from '../../server/settings/store-url.ts';
import { parseWebhookTarget } from '../../server/webhooks/send-webhook.ts';
import { UsageError } from '../program/command-io.ts';
import { brandOption, logoOption, publicUrlOption } from '../program/subcommand.ts';

/** Flags, meaning, parser (default: none), and whether repeated uses add up. */
type OptionRow = readonly [flags: string, meaning: string, parse?: (text: string) => unknown, adds?: 'adds'];

/** In the order of the help: address and content; access and limits; typing; operation. */
const rows: readonly OptionRow[] = [
  ['-p, --port <number>', 'port to listen on; 0 takes a free one (default: 8787)', values.parsePort],
  ['--host <address>', 'address to bind (default: 127.0.0.1)', values.parseHost],
  [...brandOption, values.parseBrand],
  logoOption,
  [
    '--content <folder>',
    'the content folder: announcements, allow-list and editors (default: ./content, your own)',
  ],
  [...publicUrlOption, values.parsePublicUrl],
  ['--data <folder>', 'the data folder: typing results, open sessions and counters (default: your own)'],

  [
    '--allow-origin <origin>',
    'a site that may embed the badge; repeatable',
    values.parseAllowedOrigins,
    'adds',
  ],
  ['--allow-host <name>', 'another host name to answer to; repeatable', values.parseAllowedHosts, 'adds'],
  [
    '--max-connections-per-client <count>',
    `connections that one client may hold (default: ${limits.clientConnections}; loopback and trusted proxies exempt)`,
    values.parseCount,
  ],
  [
    '--badge-limit <rate:burst>',
    "requests a second, and at once, that a client may send for the badge's files and content (default: 10:20)",
    values.parseRate,
  ],
  ['--trust-proxy <cidrs>', 'trusted proxies: their X-Forwarded-For counts', values.parseTrustProxy],

  [
    '--api-limit <rate:burst>',
    'requests a second, and at once, that a client may send to the typing API, or "off" (default: 100:200; none on loopback)',
    values.parseApiLimit,
  ],
  ['--session-ttl <span>', 'how long an unused typing session lives (default: 24h)', values.parseDuration],
  ['--max-sessions <count>', `typing sessions open at once (default: ${limits.sessions})`, values.parseCount],
  [
    '--max-sessions-per-client <count>',
    `open sessions per player or address (default: ${limits.clientSessions})`,
    values.parseCount,
  ],
  [
    '--keep-rounds <span>',
    'how long rounds of remote players are kept (default: 400d)',
    values.parseDuration,
  ],
  ['--typing <on|off>', 'off serves the badge without the typing API (default: on)', values.parseSwitch],

  ['--desk <on|off>', 'off serves no page for editors at /desk (default: on)', values.parseSwitch],
  [
    '--store <url>',
    'Redis or Valkey that several servers share, such as redis://127.0.0.1:6379',
    parseStoreUrl,
  ],
  ['--store-prefix <name>', 'prefix of every key in the store (default: typebadge)', values.parseStorePrefix],
  [
    '--workers <count>',
    'processes that share the port, or "auto"; needs --store, or --typing off',
    values.parseWorkers,
  ],
  [
    '--metrics <host:port>',
    'serve metrics for Prometheus at /metrics there, such as 127.0.0.1:9464 (default: off)',
    values.parseListenAddress,
  ],
  ['--round-quota <size>', 'disk space of all finished rounds (default: 1GiB)', values.parseSize],
  [
    '--webhook <url>',
    'tell this address when announcements start, change and end; https; repeatable; signed with TYPEBADGE_WEBHOOK_SECRET',
    parseWebhooks,
    'adds',
  ],
  ['--seed <number>', 'seed for a repeatable choice of words', values.parseSeed],
  ['--log <pretty|json|off>', 'format of the log (default: pretty)', values.parseLogFormat],
  ['--verbose', 'log every request, and which folders are used'],
];

/** Every option of `serve`, each also an environment variable. */
export function serveOptions(): Option[] {
  return rows.map(([flags, meaning, parse, adds]) => {
    const option = new Option(flags, meaning);
    option.env(`TYPEBADGE_${option.name().toUpperCase().replaceAll('-', '_')}`);
    if (parse === undefined) return option;
    return option.argParser((text: string, before: unknown) => {
      const value = parseArgument(parse, text);
      return adds === undefined
        ? value
        : [...((before as unknown[] | undefined) ?? []), ...(value as unknown[])];
    });
  });
}

/** A variable may hold several, separated by white space. */
function parseWebhooks(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((address) => address !== '')
    .map((address) => parseWebhookTarget(address).url.href);
}

/** The message of a parser becomes commander's error, which names the option or the variable. */
function parseArgument(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const { message } = error as Error;
    // Commander would repeat the address.
    if (text.includes('@')) throw new UsageError(message);
    throw new InvalidArgumentError(message);
  }
}

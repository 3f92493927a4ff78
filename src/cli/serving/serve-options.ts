import { InvalidArgumentError, Option } from 'commander';
import {
  parseAllowedHosts,
  parseAllowedOrigins,
  parseApiLimit,
  parseBadgeLimit,
  parseBrand,
  parseCount,
  parseDuration,
  parseHost,
  parseListenAddress,
  parseLogFormat,
  parsePort,
  parsePublicUrl,
  parseSeed,
  parseSize,
  parseStore,
  parseStorePrefix,
  parseSwitch,
  parseTrustProxy,
  parseWorkers,
} from '../../server/settings/config-parsers.ts';
import { limits } from '../../server/settings/limits.ts';
import { parseWebhookTarget } from '../../server/webhooks/send-webhook.ts';
import { brandOption, logoOption, publicUrlOption } from '../program/subcommand.ts';

/** Every option of `serve` in the order of its help, each also an environment variable. */
export function serveOptions(): Option[] {
  const all = [...placeOptions(), ...visitorOptions(), ...typingOptions(), ...operationOptions()];
  return all.map((option) => option.env(`TYPEBADGE_${option.name().toUpperCase().replaceAll('-', '_')}`));
}

/** The address of the server, and what it serves. */
function placeOptions(): Option[] {
  return [
    parsed(
      new Option('-p, --port <number>', 'port to listen on; 0 takes a free one (default: 8787)'),
      parsePort,
    ),
    parsed(new Option('--host <address>', 'address to bind (default: 127.0.0.1)'), parseHost),
    parsed(new Option(...brandOption), parseBrand),
    new Option(...logoOption),
    new Option(
      '--content <folder>',
      'the content folder: announcements, allow-list and editors (default: ./content, your own)',
    ),
    parsed(new Option(...publicUrlOption), parsePublicUrl),
    new Option(
      '--data <folder>',
      'the data folder: typing results, open sessions and counters (default: your own)',
    ),
  ];
}

/** Who may use the server, and how much. */
function visitorOptions(): Option[] {
  return [
    repeated(
      new Option('--allow-origin <origin>', 'a site that may embed the badge; repeatable'),
      parseAllowedOrigins,
    ),
    repeated(
      new Option('--allow-host <name>', 'another host name to answer to; repeatable'),
      parseAllowedHosts,
    ),
    parsed(
      new Option(
        '--max-connections-per-client <count>',
        `connections that one client may hold (default: ${limits.clientConnections}; loopback and trusted proxies exempt)`,
      ),
      parseCount,
    ),
    parsed(
      new Option(
        '--badge-limit <rate:burst>',
        "requests a second, and at once, that a client may send for the badge's files and content (default: 10:20)",
      ),
      parseBadgeLimit,
    ),
    parsed(
      new Option('--trust-proxy <cidrs>', 'trusted proxies: their X-Forwarded-For counts'),
      parseTrustProxy,
    ),
  ];
}

function typingOptions(): Option[] {
  return [
    parsed(
      new Option(
        '--api-limit <rate:burst>',
        'requests a second, and at once, that a client may send to the typing API, or "off" (default: 100:200; none on loopback)',
      ),
      parseApiLimit,
    ),
    parsed(
      new Option('--session-ttl <span>', 'how long an unused typing session lives (default: 24h)'),
      parseDuration,
    ),
    parsed(
      new Option('--max-sessions <count>', `typing sessions open at once (default: ${limits.sessions})`),
      parseCount,
    ),
    parsed(
      new Option(
        '--max-sessions-per-client <count>',
        `open sessions per player or address (default: ${limits.clientSessions})`,
      ),
      parseCount,
    ),
    parsed(
      new Option('--keep-rounds <span>', 'how long rounds of remote players are kept (default: 400d)'),
      parseDuration,
    ),
    parsed(
      new Option('--typing <on|off>', 'off serves the badge without the typing API (default: on)'),
      parseSwitch,
    ),
  ];
}

/** How the server is operated. */
function operationOptions(): Option[] {
  return [
    parsed(
      new Option('--desk <on|off>', 'off serves no page for editors at /desk (default: on)'),
      parseSwitch,
    ),
    parsed(
      new Option(
        '--store <url>',
        'Redis or Valkey that several servers share, such as redis://127.0.0.1:6379',
      ),
      parseStore,
    ),
    parsed(
      new Option('--store-prefix <name>', 'prefix of every key in the store (default: typebadge)'),
      parseStorePrefix,
    ),
    parsed(
      new Option(
        '--workers <count>',
        'processes that share the port, or "auto"; needs --store, or --typing off',
      ),
      parseWorkers,
    ),
    parsed(
      new Option(
        '--metrics <host:port>',
        'serve figures for Prometheus at /metrics there, such as 127.0.0.1:9464 (default: off)',
      ),
      parseListenAddress,
    ),
    parsed(
      new Option('--round-quota <size>', 'disk space of all finished rounds (default: 1GiB)'),
      parseSize,
    ),
    repeated(
      new Option(
        '--webhook <url>',
        'tell this address when announcements start, change and end; https; repeatable; signed with TYPEBADGE_WEBHOOK_SECRET',
      ),
      parseWebhooks,
    ),
    parsed(new Option('--seed <number>', 'seed for a repeatable choice of words'), parseSeed),
    parsed(new Option('--log <format>', 'pretty, json or off (default: pretty)'), parseLogFormat),
    new Option('--verbose', 'log every request, and which folders are used'),
  ];
}

/** A variable may hold several, separated by white space. */
function parseWebhooks(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((address) => address !== '')
    .map((address) => parseWebhookTarget(address).url.href);
}

function parsed<T>(option: Option, parse: (text: string) => T): Option {
  return option.argParser((text: string) => asArgument(parse, text));
}

function repeated<T>(option: Option, parse: (text: string) => T[]): Option {
  return option.argParser((text: string, before: T[] | undefined) => [
    ...(before ?? []),
    ...asArgument(parse, text),
  ]);
}

/** A parser's sentence becomes commander's error, which names the option or the variable. */
function asArgument<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

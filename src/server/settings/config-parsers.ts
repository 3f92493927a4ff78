/*
 * Each parser takes the text of a flag or an environment variable; its errors are sentences that say what
 * would be right, and never repeat an address that may hold a secret.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { type AddressRanges, parseAddressRanges } from '../../kit/address.ts';
import { type OriginPattern, parseOriginPattern } from '../../kit/origin-pattern.ts';

/** Requests per second, and how many may arrive at once. */
export interface Rate {
  readonly rate: number;
  readonly burst: number;
}

export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** A parser of one pattern. `read` returns undefined for what is wrong although it fits the pattern. */
function parserOf<Value>(
  pattern: RegExp,
  sentence: string,
  read: (...groups: string[]) => Value | undefined,
): (text: string) => Value {
  return (text) => {
    const found = pattern.exec(text);
    const value = found === null ? undefined : read(...found);
    if (value === undefined) throw new Error(sentence);
    return value;
  };
}

const wholeNumber = (min: number, max: number, sentence: string) =>
  parserOf(/^\d{1,10}$/, sentence, (text) => {
    const number = Number(text);
    return number >= min && number <= max ? number : undefined;
  });

export const parsePort = wholeNumber(0, 65_535, 'A port is a whole number from 0 to 65535.');
export const parseCount = wholeNumber(1, 9_999_999, 'Give a whole number from 1 to 9999999.');
export const parseSeed = wholeNumber(0, 0xffff_ffff, 'A seed is a whole number from 0 to 4294967295.');
const parseProcesses = wholeNumber(1, 256, 'Workers are a whole number from 1 to 256, or "auto".');

/** `auto` means as many as the machine can run in parallel. */
export function parseWorkers(text: string): number {
  return text === 'auto' ? availableParallelism() : parseProcesses(text);
}

export function oneOf<const Value extends string>(...values: Value[]): (text: string) => Value {
  const sentence = `Choose ${values.slice(0, -1).join(', ')} or ${values.at(-1)}.`;
  return parserOf(/^.*$/s, sentence, (text) => values.find((value) => value === text));
}

/** An address or a name; IPv6 may be in brackets, as in a URL. */
export const parseHost = parserOf(
  /^(?:\[([\w.:%-]+)\]|([\w.:%-]+))$/,
  'A host is an address or a name to bind, such as 127.0.0.1, 0.0.0.0 or ::1.',
  (_, bracketed, plain) => plain ?? (isIPv6(bracketed ?? '') ? bracketed : undefined),
);

export const parseBrand = parserOf(
  /^[a-z][a-z0-9-]{0,31}$/,
  'A brand is 1 to 32 characters of a-z, 0-9 and hyphen, and begins with a letter.',
  (text) => text,
);

export const parseStorePrefix = parserOf(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/,
  'A prefix is 1 to 32 letters, digits, dots, underscores or hyphens, such as typebadge.',
  (text) => text,
);

/** Without escapes in the path, so that it has only one spelling. */
export const parsePublicUrl = parserOf(
  /^https?:\/\/[^\s?#@\\]+$/i,
  'A public URL is a scheme and a host, and perhaps a path, such as https://badge.example.org or https://example.org/badge.',
  (text) => {
    const { origin, pathname } = URL.canParse(text) ? new URL(text) : { origin: '', pathname: '?' };
    const path = pathname.replace(/\/$/, '');
    return /^(?:\/[A-Za-z0-9._~-]+)*$/.test(path) ? origin + path : undefined;
  },
);

const rateParser = (more: string) =>
  parserOf(
    /^(\d{1,6}(?:\.\d{1,3})?):(\d{1,6})$/,
    `A limit is RATE:BURST, requests a second and at once, such as 100:200${more}.`,
    (_, rate, burst): Rate | undefined =>
      Number(rate) > 0 && Number(burst) >= 1 ? { rate: Number(rate), burst: Number(burst) } : undefined,
  );
export const parseRate = rateParser('');
const parseRateOrOff = rateParser('; or "off"');

export function parseApiLimit(text: string): Rate | 'off' {
  return text === 'off' ? 'off' : parseRateOrOff(text);
}

const milliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span such as `90s`, `30m`, `24h` or `7d`, in milliseconds. */
export const parseDuration = parserOf(
  /^(\d{1,6})([smhd])$/,
  'A span is a number and a unit, such as 90s, 30m, 24h or 7d.',
  (_, amount, unit = '') => Number(amount) * (milliseconds[unit] ?? 0) || undefined,
);

const sizeUnits: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** A size such as `64MiB`, `64M` or `1G`, in bytes. */
export const parseSize = parserOf(
  /^(\d{1,6})\s?([KMG])(?:i?B)?$/i,
  'A size is a number and a unit, such as 64MiB or 1GiB; at least 1MiB.',
  (_, amount, unit = '') => {
    const bytes = Number(amount) * (sizeUnits[unit.toUpperCase()] ?? 0);
    return bytes >= 2 ** 20 ? bytes : undefined;
  },
);

/** `HOST:PORT`, such as `127.0.0.1:9464` or `[::1]:9464`. */
export const parseListenAddress = parserOf(
  /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/,
  'An address is HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464.',
  (_, bracketed, plain, digits): ListenAddress | undefined => {
    const host = plain ?? (isIPv6(bracketed ?? '') ? bracketed : undefined);
    const port = Number(digits);
    return host !== undefined && port <= 65_535 ? { host, port } : undefined;
  },
);

/** Parses a list: an environment variable has it on one line, with such separators. */
const listOf =
  <Value>(parse: (entry: string) => Value, separators = /[\s,]+/) =>
  (text: string): Value[] =>
    text.split(separators).flatMap((entry) => (entry === '' ? [] : [parse(entry)]));

/** What was parsed; throws the problem, if there is one. */
function required<Value extends object>(parsed: Value | { readonly problem: string }): Value {
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

export const parseAllowedOrigins = listOf((entry) => required<OriginPattern>(parseOriginPattern(entry)));

export const parseAllowedHosts = listOf((name) => {
  if (/^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i.test(name)) return name.toLowerCase();
  throw new Error(`"${name}" is not a host name such as badge.example.org or badge.example.org:8443.`);
});

export function parseTrustProxy(text: string): AddressRanges {
  const entries = listOf(String)(text);
  if (entries.length === 0) throw new Error('No proxy is named: give its address, such as 127.0.0.1.');
  return required<AddressRanges>(parseAddressRanges(entries));
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export type WebhookTarget = Readonly<ReturnType<typeof parseWebhookTarget>>;

export function parseWebhookTarget(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Error('A webhook is an address such as https://hooks.example.org/typebadge.');
  if (url.username !== '' || url.password !== '')
    throw new Error('A webhook has no user name and password: receivers check its signature.');
  if (url.protocol === 'http:' && !loopback.test(url.hostname))
    throw new Error('A webhook beyond this machine needs https.');
  url.hash = '';
  // Stored instead of the URL, which may itself be a secret; the name is for the log.
  const key = createHash('sha256').update(url.href).digest('base64url').slice(0, 22);
  return { url, key, name: url.origin };
}

/** Separated by white space: a URL may have a comma. */
export const parseWebhooks = listOf((address) => parseWebhookTarget(address).url.href, /\s+/);

/** `whsec_<base64>` with 24 to 64 bytes, as required by Standard Webhooks. */
export const parseWebhookSecret = parserOf(
  /^\s*whsec_([A-Za-z0-9+/]+={0,2})\s*$/,
  'it must be whsec_ and 24 to 64 bytes in base64; make one with: echo "whsec_$(openssl rand -base64 32)"',
  (_, encoded = '') => {
    const secret = Buffer.from(encoded, 'base64');
    return secret.length >= 24 && secret.length <= 64 ? secret : undefined;
  },
);

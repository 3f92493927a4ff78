// Each parser takes the text of a flag or an environment variable; its errors are sentences that say what
// would be right.
import { isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { type AddressRanges, parseAddressRanges } from '../../kit/address.ts';
import { type OriginPattern, parseOriginPattern } from '../../kit/origin-pattern.ts';
import type { ListenAddress, LogFormat, Rate } from './config.ts';

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('A port is a whole number from 0 to 65535.');
  return port;
}

/** An address or a name; IPv6 may be in brackets, as in a URL. */
export function parseHost(text: string): string {
  const host = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (!/^[\w.:%-]+$/.test(host) || (text !== host && !isIPv6(host))) {
    throw new Error('A host is an address or a name to bind, such as 127.0.0.1, 0.0.0.0 or ::1.');
  }
  return host;
}

export function parseBrand(text: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(text)) {
    throw new Error('A brand is 1 to 32 characters of a-z, 0-9 and hyphen, and begins with a letter.');
  }
  return text;
}

export function parseAllowedOrigins(text: string): OriginPattern[] {
  return listIn(text).map((entry) => {
    const pattern = parseOriginPattern(entry);
    if ('problem' in pattern) throw new Error(pattern.problem);
    return pattern;
  });
}

export function parseAllowedHosts(text: string): string[] {
  return listIn(text).map((name) => {
    if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i.test(name)) {
      throw new Error(`"${name}" is not a host name such as badge.example.org or badge.example.org:8443.`);
    }
    return name.toLowerCase();
  });
}

export function parseTrustProxy(text: string): AddressRanges {
  const list = parseAddressRanges(listIn(text));
  if ('problem' in list) throw new Error(list.problem);
  return list;
}

export function parsePublicUrl(text: string): string {
  const url = /^https?:\/\/[^\s?#@\\]+$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  // Without escapes, so that the path has only one spelling.
  if (url === undefined || !/^(?:\/[A-Za-z0-9._~-]+)*$/.test(path)) {
    throw new Error(
      'A public URL is a scheme and a host, and perhaps a path, such as https://badge.example.org or https://example.org/badge.',
    );
  }
  return url.origin + path;
}

export function parseApiLimit(text: string): Rate | 'off' {
  return text === 'off' ? 'off' : parseRate(text, '; or "off"');
}

/** @param more what else is allowed, as the end of the error */
export function parseRate(text: string, more = ''): Rate {
  const [, rate, burst] = /^(\d{1,6}(?:\.\d{1,3})?):(\d{1,6})$/.exec(text) ?? [];
  if (Number(rate) > 0 && Number(burst) >= 1) return { rate: Number(rate), burst: Number(burst) };
  throw new Error(`A limit is RATE:BURST, requests a second and at once, such as 100:200${more}.`);
}

export function parseSwitch(text: string): 'on' | 'off' {
  if (text !== 'on' && text !== 'off') throw new Error('Choose on or off.');
  return text;
}

export function parseLogFormat(text: string): LogFormat {
  if (text !== 'pretty' && text !== 'json' && text !== 'off') throw new Error('Choose pretty, json or off.');
  return text;
}

const milliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span such as `90s`, `30m`, `24h` or `7d`, in milliseconds. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const span = Number(amount) * milliseconds[unit as keyof typeof milliseconds];
  if (!(span > 0)) throw new Error('A span is a number and a unit, such as 90s, 30m, 24h or 7d.');
  return span;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,7}$/.test(text) || count < 1) throw new Error('Give a whole number from 1 to 9999999.');
  return count;
}

const sizeUnits = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** A size such as `512KiB`, `64MiB`, `64M` or `1G`, in bytes. At least 1 MiB. */
export function parseSize(text: string): number {
  const [, amount, unit] = /^(\d{1,6})\s?([KMG])(?:i?B)?$/i.exec(text) ?? [];
  const bytes = Number(amount) * sizeUnits[unit?.toUpperCase() as keyof typeof sizeUnits];
  if (!(bytes >= sizeUnits.M))
    throw new Error('A size is a number and a unit, such as 64MiB or 1GiB; at least 1MiB.');
  return bytes;
}

export function parseStorePrefix(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/.test(text)) {
    throw new Error('A prefix is 1 to 32 letters, digits, dots, underscores or hyphens, such as typebadge.');
  }
  return text;
}

/** `auto` means as many as the machine can run in parallel. */
export function parseWorkers(text: string): number {
  if (text === 'auto') return availableParallelism();
  const count = Number(text);
  if (!/^\d{1,3}$/.test(text) || count < 1 || count > 256) {
    throw new Error('Workers are a whole number from 1 to 256, or "auto".');
  }
  return count;
}

/** `HOST:PORT`, such as `127.0.0.1:9464` or `[::1]:9464`. */
export function parseListenAddress(text: string): ListenAddress {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  const isAddress = host !== undefined && port <= 65_535 && (bracketed === undefined || isIPv6(bracketed));
  if (!isAddress) throw new Error('An address is HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464.');
  return { host, port };
}

export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d{1,10}$/.test(text) || seed > 0xffff_ffff)
    throw new Error('A seed is a whole number from 0 to 4294967295.');
  return seed;
}

/** Splits a list: an environment variable has it on one line, separated by commas or white space. */
function listIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

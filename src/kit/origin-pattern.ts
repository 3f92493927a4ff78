import { visibleText } from './visible-text.ts';

/** An allow-list entry: an exact origin, or any subdomain (at any depth) of a domain. */
export interface OriginPattern {
  /** The entry in its canonical spelling: `https://example.org`, `https://*.example.org:8443`. */
  readonly entry: string;
  readonly scheme: 'http:' | 'https:';
  /** Host without a wildcard, lower case, IPv6 in brackets. */
  readonly hostname: string;
  /** Empty for the scheme's default. */
  readonly port: string;
  readonly subdomains: boolean;
}

/** Reads an allow-list entry, or says in a sentence what is wrong with it. */
export function parseOriginPattern(text: string): OriginPattern | { readonly problem: string } {
  if (text === 'null')
    return {
      problem:
        '"null" is not an origin: a page opened from a file has none; open it by a web server, at http://localhost',
    };
  const parts = /^(https?):\/\/(\*\.)?([^/*?#@%\\\s]+)$/i.exec(text);
  if (parts === null) {
    return {
      problem: `"${visibleText(text)}" is not an origin: write scheme and host, such as https://example.org or https://*.example.org (no path, no other wildcard)`,
    };
  }
  const url = parseOrigin(`${parts[1]}://${parts[3]}`);
  if (url === undefined) return { problem: `"${visibleText(text)}" holds a host or port that is not valid` };
  const subdomains = parts[2] !== undefined;
  if (subdomains && !isWildcardDomain(url.hostname)) {
    return {
      problem: `"${visibleText(text)}": a wildcard needs a domain of at least two labels after it, such as https://*.example.org`,
    };
  }
  const { scheme, hostname, port } = url;
  const entry = `${scheme}//${subdomains ? '*.' : ''}${hostname}${port && `:${port}`}`;
  return { entry, scheme, hostname, port, subdomains };
}

function isWildcardDomain(hostname: string): boolean {
  // An address has no subdomains; that of IPv6 has no dots either.
  return hostname === 'localhost' || (hostname.includes('.') && !/^[\d.]+$/.test(hostname));
}

export interface ParsedOrigin {
  readonly scheme: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: string;
}

/**
 * Parses an origin, which is only scheme, host and port (RFC 6454, section 6.2). Undefined if it contains
 * anything that a URL parser would forgive or drop (credentials, a path, a backslash, white space), or a host
 * that ends in a dot, which is another site.
 */
export function parseOrigin(text: string): ParsedOrigin | undefined {
  if (text.length > 300 || !/^https?:\/\/[^/?#@\\\s]+$/i.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  // A label must not be empty.
  if (/^\.|\.\.|\.$/.test(url.hostname)) return undefined;
  // A URL parser accepts commas and other characters that no host name has, and that have a meaning in a
  // list.
  if (!/^(?:[a-z0-9._-]+|\[[\da-f:.]+\])$/.test(url.hostname)) return undefined;
  // What a URL parser completes to an IPv4 address (1.2.3 to 1.2.0.3) was meant as something else.
  if (/^\d+(?:\.\d+){3}$/.test(url.hostname) && !text.includes(`//${url.hostname}`)) return undefined;
  return { scheme: url.protocol as ParsedOrigin['scheme'], hostname: url.hostname, port: url.port };
}

/** Whether an entry allows a site. Compares parsed parts, never text with a regular expression. */
export function isAllowedBy(pattern: OriginPattern, origin: ParsedOrigin): boolean {
  if (pattern.scheme !== origin.scheme || pattern.port !== origin.port) return false;
  if (!pattern.subdomains) return pattern.hostname === origin.hostname;
  // The dot excludes barexample.org, and the bare domain too.
  return origin.hostname.endsWith(`.${pattern.hostname}`);
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a site is on this computer, at any port. */
export function isLoopbackOrigin({ hostname }: ParsedOrigin): boolean {
  return loopbackHosts.has(hostname);
}

import { isLoopback } from '../../server/settings/config.ts';
import { UsageError } from '../program/command-io.ts';

/**
 * The address of a server as people write it: without a scheme it means `https://`, on this computer
 * `http://`, which is what a server there speaks. Undefined for text that is not an address.
 */
export function parseServerUrl(text: string): URL | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return URL.canParse(text) ? new URL(text) : undefined;
  if (!URL.canParse(`https://${text}`)) return undefined;
  return new URL(`${isOnThisComputer(new URL(`https://${text}`)) ? 'http' : 'https'}://${text}`);
}

/** Whether it is an HTTP address without user name, query and fragment, which may hold a secret. */
export function isPlain({ protocol, href, origin, pathname }: URL): boolean {
  return /^https?:$/.test(protocol) && href === origin + pathname;
}

/** Whether the host of an address is this computer. */
export function isOnThisComputer({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

/**
 * The address of a server that editors write to, without a slash or `/desk` at its end:
 * `https://badge.example.org`, `https://example.org/badge`. Throws wrong usage for anything else, and for
 * plain HTTP beyond this machine, which would show the token to everybody on the way.
 */
export function parseServerAddress(text: string): string {
  const url = parseServerUrl(text);
  if (url === undefined || !isPlain(url))
    throw new UsageError(
      'the address of a server is a scheme and a host, such as https://badge.example.org, and the path below which it is served, if any',
    );
  // The port of a server behind a TLS proxy is not that of the proxy.
  if (url.protocol === 'http:' && !isOnThisComputer(url))
    throw new UsageError(
      `${url.origin} would send your token unencrypted; use https://${url.hostname}, or the address of the TLS proxy in front of it`,
    );
  return url.href.replace(/(?:\/desk)?\/*$/, '');
}

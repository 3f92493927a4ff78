import { UsageError } from '../../program/command-errors.ts';
import { isOnThisComputer, toServerUrl } from './written-address.ts';

/**
 * The origin of a server that editors write to: `https://badge.example.org`, also given without its scheme. Throws wrong usage for
 * anything else, and for plain HTTP beyond this machine, which would show the token to everybody on the way.
 */
export function parseServerAddress(text: string): string {
  const url = toServerUrl(text);
  const isPlace =
    url !== undefined &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '';
  if (!isPlace) {
    throw new UsageError(
      'the address of a server is a scheme and a host, such as https://badge.example.org, with nothing after it',
    );
  }
  if (url.protocol === 'http:' && !isOnThisComputer(url)) {
    // The port of a server behind a TLS proxy is not that of the proxy.
    const whose = url.port === '' ? '' : 'its https address, that of the TLS proxy in front of it, such as ';
    throw new UsageError(
      `${url.origin} would send your token unencrypted; use ${whose}https://${url.hostname}`,
    );
  }
  return url.origin;
}

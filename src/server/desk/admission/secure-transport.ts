import { type AddressRanges, isLoopbackAddress } from '../../http/addresses/address.ts';
import { parseHop } from '../../http/addresses/client-address.ts';
import type { Context } from '../../http/requests/context.ts';

/** Whether nobody on the network could read a request. */
export type TransportCheck = (context: Pick<Context, 'peer' | 'headers'>) => boolean;

/** What proxies add to a request; any of them says that it did not begin on this machine. */
const proxyHeaders = [
  'x-forwarded-proto',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'via',
] as const;

/**
 * A request is safe if it came over loopback, or from a trusted proxy that reports TLS. A proxy on this machine uses loopback too:
 * if a request has headers of a proxy, each proxy of a chain must report TLS, in `X-Forwarded-Proto` and nowhere else.
 */
export function createTransportCheck(trusted: AddressRanges | undefined): TransportCheck {
  return ({ peer: address, headers }) => {
    const peer = parseHop(address);
    if (peer === undefined) return false;
    const isProxied = proxyHeaders.some((name) => headers[name] !== undefined);
    const isLoopback = isLoopbackAddress(peer);
    return isProxied
      ? (isLoopback || trusted?.has(peer) === true) && isHttps(headers['x-forwarded-proto'])
      : isLoopback;
  };
}

function isHttps(protocols: string | undefined): boolean {
  return (protocols ?? '').split(',').every((protocol) => protocol.trim().toLowerCase() === 'https');
}

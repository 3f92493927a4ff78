import type { IncomingMessage } from 'node:http';
import type { Address } from '../../http/addresses/address.ts';
import type { AddressRanges } from '../../http/addresses/address-ranges.ts';
import { parseHop } from '../../http/addresses/client-address.ts';

/** Whether nobody on the way could read what a request carries. */
export type TransportCheck = (request: IncomingMessage) => boolean;

/**
 * A request is safe that came over loopback, or from a trusted proxy that says it came over TLS. A proxy on this machine comes
 * over loopback, too: where one has left its mark, what it says counts, and each of a chain must have said the same.
 */
export function createTransportCheck(trusted: AddressRanges | undefined): TransportCheck {
  return ({ socket, headers }) => {
    const peer = parseHop(socket.remoteAddress ?? '');
    if (peer === undefined) return false;
    const protocols = headers['x-forwarded-proto'];
    const isProxied = protocols !== undefined || headers['x-forwarded-for'] !== undefined;
    if (trusted?.has(peer) === true && isProxied) return isHttps(protocols);
    return isLoopbackAddress(peer) && (protocols === undefined || isHttps(protocols));
  };
}

function isHttps(protocols: string | string[] | undefined): boolean {
  return (
    protocols !== undefined &&
    String(protocols)
      .split(',')
      .every((protocol) => protocol.trim().toLowerCase() === 'https')
  );
}

function isLoopbackAddress(address: Address): boolean {
  if (address.family === 4) return Math.floor(address.value / 2 ** 24) === 127;
  return address.groups.every((group, at) => group === (at === 7 ? 1 : 0));
}

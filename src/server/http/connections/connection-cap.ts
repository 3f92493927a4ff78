import type { Socket } from 'node:net';
import type { Address } from '../addresses/address.ts';
import type { AddressRanges } from '../addresses/address-ranges.ts';
import { parseHop, toClientKey } from '../addresses/client-address.ts';
import type { ConnectionCap } from './connection-table.ts';

export interface ConnectionCapOptions {
  /** Connections that one client may have; undefined: 200, with loopback and trusted proxies exempt. */
  readonly limit: number | undefined;
  /** Trusted proxies, whose connections carry requests of many clients. */
  readonly trusted: AddressRanges | undefined;
}

const standardLimit = 200;

/** Returns the cap that a connection counts towards: that of its remote IPv4 address or IPv6 /64. */
export function createConnectionCap({ limit, trusted }: ConnectionCapOptions) {
  return ({ remoteAddress = '' }: Socket): ConnectionCap | undefined => {
    const address = parseHop(remoteAddress);
    const isKnown = address !== undefined && (isLoopback(address) || trusted?.has(address) === true);
    if (limit === undefined && isKnown) return undefined;
    return { client: toClientKey(remoteAddress), limit: limit ?? standardLimit };
  };
}

function isLoopback(address: Address): boolean {
  if (address.family === 4) return address.value >>> 24 === 127;
  return address.groups.every((group, at) => group === (at === 7 ? 1 : 0));
}

import type { Socket } from 'node:net';
import type { Address } from '../addresses/address.ts';
import type { AddressRanges } from '../addresses/address-ranges.ts';
import { parseHop, toClientKey } from '../addresses/client-address.ts';
import type { ConnectionCap } from './connection-table.ts';

export interface ConnectionCapOptions {
  /** Connections that one client may hold; undefined: 200, with loopback and trusted proxies exempt. */
  readonly limit: number | undefined;
  /** Proxies whose connections carry many clients. */
  readonly trusted: AddressRanges | undefined;
}

const standardLimit = 200;

/** What a connection counts towards: the address it comes from, and of IPv6 its /64. */
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

import type { Socket } from 'node:net';
import { type Address, type AddressRanges, clientKey, keyOf, parseHop } from '../../kit/address.ts';

/** The client that limits apply to, from the socket and the `X-Forwarded-For` of the request. */
export type ClientOf = (socket: Socket, forwardedFor: string | undefined) => string;

interface Peer {
  readonly client: string;
  /** Undefined if it is not one of the trusted proxies. */
  readonly trusted: AddressRanges | undefined;
}

/**
 * The socket's address; behind trusted proxies, the rightmost address of `X-Forwarded-For` that is not one of
 * them. Everything to the left of it may be forged. `onIgnored`: called once, at the first request that has
 * the header although no proxy is trusted.
 */
export function createClientOf(trusted: AddressRanges | undefined, onIgnored?: () => void): ClientOf {
  const peers = new WeakMap<Socket, Peer>();
  let report = trusted === undefined ? onIgnored : undefined;
  return (socket, forwardedFor) => {
    let peer = peers.get(socket);
    if (peer === undefined) {
      const { remoteAddress = '' } = socket;
      const address = parseHop(remoteAddress);
      const isTrusted = address !== undefined && trusted?.has(address);
      peer = { client: clientKey(remoteAddress), trusted: isTrusted ? trusted : undefined };
      peers.set(socket, peer);
    }
    if (forwardedFor === undefined) return peer.client;
    report?.();
    report = undefined;
    return (peer.trusted && nearestClient(forwardedFor, peer.trusted)) ?? peer.client;
  };
}

/** Reads the hops from the right until one is not a trusted proxy, or not an address. */
function nearestClient(forwardedFor: string, trusted: AddressRanges): string | undefined {
  let nearest: Address | undefined;
  for (let end = forwardedFor.length; end > 0; ) {
    const comma = forwardedFor.lastIndexOf(',', end - 1);
    const address = parseHop(forwardedFor.slice(comma + 1, end).trim());
    if (address === undefined) break;
    nearest = address;
    if (!trusted.has(address)) break;
    end = comma;
  }
  return nearest && keyOf(nearest);
}

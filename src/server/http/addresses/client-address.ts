import type { Socket } from 'node:net';
import { type Address, type AddressRanges, formatIPv4, parseAddress, parseIPv4 } from './address.ts';

/** The client that limits count, from the socket and the `X-Forwarded-For` of the request. */
export type ClientOf = (socket: Socket, forwardedFor: string | undefined) => string;

interface Peer {
  readonly client: string;
  readonly isTrusted: boolean;
}

/**
 * The socket's address; behind trusted proxies, the rightmost address of `X-Forwarded-For` that is not one of them.
 * Everything to the left of it was written by a stranger and cannot be trusted. `onIgnored`: called once, at the first request
 * that has the header although no proxy is trusted.
 */
export function createClientOf(trusted: AddressRanges | undefined, onIgnored?: () => void): ClientOf {
  const peers = new WeakMap<Socket, Peer>();
  let report = trusted === undefined ? onIgnored : undefined;

  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const address = parseHop(socket.remoteAddress ?? '');
    const peer = {
      client: toClientKey(socket.remoteAddress ?? ''),
      isTrusted: address !== undefined && trusted?.has(address) === true,
    };
    peers.set(socket, peer);
    return peer;
  };

  return (socket, forwardedFor) => {
    const { client, isTrusted } = peerOf(socket);
    if (forwardedFor === undefined) return client;
    if (report !== undefined) {
      report();
      report = undefined;
    }
    if (!isTrusted || trusted === undefined) return client;
    return nearestClient(forwardedFor, trusted) ?? client;
  };
}

/** Reads the hops from the right until one is not a trusted proxy, or not an address. */
function nearestClient(forwardedFor: string, trusted: AddressRanges): string | undefined {
  let nearest: Address | undefined;
  for (let end = forwardedFor.length; end >= 0; ) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    const address = parseHop(forwardedFor.slice(comma + 1, end).trim());
    if (address === undefined) break;
    nearest = address;
    if (!trusted.has(address)) break;
    end = comma;
  }
  return nearest && toKey(nearest);
}

/** Parses an address as in `X-Forwarded-For` or of a socket, perhaps with brackets, a port or a zone. */
export function parseHop(text: string): Address | undefined {
  const value = parseIPv4(text);
  if (value !== undefined) return { family: 4, value };
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  return parseAddress(bare.replace(/%.*/, ''));
}

/** An IPv4 address as it is; an IPv6 one as its /64, the smallest block that a subscriber is assigned (RFC 6177). */
export function toClientKey(address: string): string {
  const parsed = parseHop(address);
  return parsed === undefined ? address : toKey(parsed);
}

/** A new string: a slice of the header would keep the whole header in memory for as long as the client is remembered. */
function toKey(address: Address): string {
  if (address.family === 4) return formatIPv4(address.value);
  const [first, second, third, fourth] = address.groups.map((group) => group.toString(16));
  return `${first}:${second}:${third}:${fourth}::/64`;
}

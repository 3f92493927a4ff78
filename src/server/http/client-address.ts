import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6, type Socket } from 'node:net';

/** Tells who asks, as far as limits go. */
export type ClientOf = (request: IncomingMessage) => string;

/** A list of proxies, or a sentence that names the entry that is none. */
export function parseTrustedProxies(entries: readonly string[]): BlockList | { readonly problem: string } {
  const list = new BlockList();
  for (const entry of entries) {
    const [address, prefix, ...rest] = entry.split('/') as [string, ...string[]];
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    const longest = family === 'ipv4' ? 32 : 128;
    const length = prefix === undefined ? longest : Number(prefix);
    const isLength = prefix === undefined || (/^\d{1,3}$/.test(prefix) && length <= longest);
    if (isIP(address) === 0 || rest.length > 0 || !isLength) {
      return { problem: `"${entry}" is not an address or a CIDR range such as 10.0.0.0/8 or 2001:db8::/32` };
    }
    list.addSubnet(address, length, family);
  }
  return list;
}

/**
 * The socket's address; behind trusted proxies, the rightmost address of `X-Forwarded-For` that is not itself one of
 * them. Everything left of that address was written by a stranger and says nothing.
 */
export function createClientOf(trusted: BlockList | undefined): ClientOf {
  const bySocket = new WeakMap<Socket, string>();

  const ofSocket = (socket: Socket): string => {
    const known = bySocket.get(socket);
    if (known !== undefined) return known;
    const client = toClientKey(socket.remoteAddress ?? '');
    bySocket.set(socket, client);
    return client;
  };
  if (trusted === undefined) return (request) => ofSocket(request.socket);

  return (request) => {
    const peer = toPlainAddress(request.socket.remoteAddress ?? '');
    if (!isTrusted(trusted, peer)) return ofSocket(request.socket);
    const forwarded = [request.headers['x-forwarded-for'] ?? ''].flat().join(',');
    let nearest = peer;
    for (const hop of forwarded.split(',').reverse()) {
      const address = toPlainAddress(hop.trim());
      if (isIP(address) === 0) break;
      nearest = address;
      if (!isTrusted(trusted, address)) break;
    }
    return toClientKey(nearest);
  };
}

function isTrusted(trusted: BlockList, address: string): boolean {
  return isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Without a zone, brackets and port, and IPv4 out of its IPv6 wrapping. */
function toPlainAddress(address: string): string {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  const unzoned = bare.replace(/%.*/, '');
  return /^::ffff:([\d.]+)$/i.exec(unzoned)?.[1] ?? unzoned;
}

/** An IPv4 address as it is; an IPv6 one as its /64, the smallest block that one subscriber is given (RFC 6177). */
export function toClientKey(address: string): string {
  const plain = toPlainAddress(address);
  return isIPv6(plain) ? `${firstFourGroups(plain).join(':')}::/64` : plain;
}

/** The first 64 bits of a valid IPv6 address; `::` stands for as many zeros as eight groups need. */
function firstFourGroups(address: string): string[] {
  const [left, right = []] = address.split('::').map((side) => (side === '' ? [] : side.split(':'))) as [
    string[],
    string[]?,
  ];
  // A dotted IPv4 tail fills two groups.
  const width = left.length + right.length + (address.includes('.') ? 1 : 0);
  const groups = [...left, ...Array<string>(8 - width).fill('0'), ...right];
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
}

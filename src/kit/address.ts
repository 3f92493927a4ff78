import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** A parsed IP address. */
export interface Address {
  readonly family: 'ipv4' | 'ipv6';
  /** In its one spelling here: `192.0.2.1`, or eight groups as in `2001:db8:0:0:0:0:0:1`. */
  readonly text: string;
}

/**
 * Parses an address without zone, brackets or port. IPv4-mapped IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`)
 * counts as IPv4. The result is a new string: a slice of a header would keep the whole header in memory.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 'ipv4', text: text.split('.').map(Number).join('.') };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const groups = groupsOf(text);
  const isWrapped = groups.slice(0, 6).join() === '0,0,0,0,0,ffff';
  if (!isWrapped) return { family: 'ipv6', text: groups.join(':') };
  const bytes = groups.slice(6).flatMap((group) => Buffer.from(group.padStart(4, '0'), 'hex').join('.'));
  return { family: 'ipv4', text: bytes.join('.') };
}

/** The eight groups of a valid IPv6 address, which a URL has without leading zeros. */
function groupsOf(address: string): string[] {
  const sides = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [left = [], right = []] = sides.map((side) => (side === '' ? [] : side.split(':')));
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

export function isLoopbackAddress({ family, text }: Address): boolean {
  return family === 'ipv4' ? text.startsWith('127.') : text === '0:0:0:0:0:0:0:1';
}

/** A set of addresses, such as those of trusted proxies. */
export interface AddressRanges {
  has(address: Address): boolean;
}

/** Reads addresses and CIDR ranges, or says which entry is neither. */
export function parseAddressRanges(entries: readonly string[]): AddressRanges | { readonly problem: string } {
  // One for each family, because Node finds IPv4 addresses in ranges of IPv6, too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) {
    const [, text = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const address = parseAddress(text);
    const maxLength = address?.family === 'ipv4' ? 32 : 128;
    const length = Number(prefix ?? maxLength);
    if (address === undefined || length > maxLength)
      return { problem: `"${entry}" is not an address or a CIDR range such as 10.0.0.0/8 or 2001:db8::/32` };
    lists[address.family].addSubnet(address.text, length, address.family);
  }
  return { has: ({ text, family }) => lists[family].check(text, family) };
}

/** Parses an address as in `X-Forwarded-For` or of a socket, perhaps with brackets, a port or a zone. */
export function parseHop(text: string): Address | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  return parseAddress(bare.replace(/%.*/, ''));
}

/** The key that a client is counted by; see `keyOf`. Text that is not an address is its own key. */
export function clientKey(address: string): string {
  const parsed = parseHop(address);
  return parsed === undefined ? address : keyOf(parsed);
}

/** An IPv4 address as it is; an IPv6 one as its /64, the smallest block of a subscriber (RFC 6177). */
export function keyOf({ family, text }: Address): string {
  return family === 'ipv4' ? text : `${text.split(':', 4).join(':')}::/64`;
}

/**
 * An IPv6 /48 is the most that one site is assigned (RFC 6177), and it contains 65,536 of the /64s that count
 * as one client each. Together they may use as much as 16 clients.
 */
export const clientsPerBlock = 16;

/** The /48 that a client (an IPv6 /64) belongs to: its first three groups. Undefined for IPv4. */
export function blockOf(client: string): string | undefined {
  if (!client.endsWith('::/64')) return undefined;
  const second = client.indexOf(':') + 1;
  const third = client.indexOf(':', second) + 1;
  return client.slice(0, client.indexOf(':', third));
}

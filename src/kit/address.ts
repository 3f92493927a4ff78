import { isIPv6 } from 'node:net';

/** A parsed IP address. */
export type Address =
  | { readonly family: 4; readonly value: number }
  | { readonly family: 6; readonly groups: readonly number[] };

/**
 * Parses an address without zone, brackets or port. IPv4-mapped IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`)
 * counts as IPv4.
 */
export function parseAddress(text: string): Address | undefined {
  const value = parseIPv4(text);
  if (value !== undefined) return { family: 4, value };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const groups = groupsOf(text);
  const isWrapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (!isWrapped) return { family: 6, groups };
  return { family: 4, value: (groups[6] as number) * 0x10000 + (groups[7] as number) };
}

/** Four numbers from 0 to 255 without leading zeros, as one 32-bit number; undefined for any other text. */
function parseIPv4(text: string): number | undefined {
  let value = 0;
  let part = -1;
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === dot) {
      if (part < 0 || dots === 3) return undefined;
      value = value * 256 + part;
      part = -1;
      dots += 1;
    } else {
      if (code < zero || code > nine || part === 0) return undefined;
      part = (part < 0 ? 0 : part * 10) + code - zero;
      if (part > 255) return undefined;
    }
  }
  return part < 0 || dots !== 3 ? undefined : value * 256 + part;
}

const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [left, right = []] = address.split('::').map(numbersOf) as [number[], number[]?];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function numbersOf(side: string): number[] {
  if (side === '') return [];
  return side.split(':').flatMap((group) => {
    const value = parseIPv4(group);
    return value === undefined ? Number.parseInt(group, 16) : [Math.floor(value / 0x10000), value % 0x10000];
  });
}

export function formatIPv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

export function isLoopbackAddress(address: Address): boolean {
  if (address.family === 4) return address.value >>> 24 === 127;
  return address.groups.every((group, at) => group === (at === 7 ? 1 : 0));
}

/** A set of addresses, such as those of trusted proxies. */
export interface AddressRanges {
  has(address: Address): boolean;
}

interface Range {
  readonly address: Address;
  /** Leading bits that an address must share with it. */
  readonly length: number;
}

/** Reads addresses and CIDR ranges, or says which entry is neither. */
export function parseAddressRanges(entries: readonly string[]): AddressRanges | { readonly problem: string } {
  const ranges: Range[] = [];
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range === undefined) {
      return { problem: `"${entry}" is not an address or a CIDR range such as 10.0.0.0/8 or 2001:db8::/32` };
    }
    ranges.push(range);
  }
  return { has: (address) => ranges.some((range) => isWithin(address, range)) };
}

function parseRange(entry: string): Range | undefined {
  const [text = '', prefix, ...rest] = entry.split('/');
  const address = parseAddress(text);
  if (address === undefined || rest.length > 0) return undefined;
  const maxLength = address.family === 4 ? 32 : 128;
  if (prefix === undefined) return { address, length: maxLength };
  const length = Number(prefix);
  return /^\d{1,3}$/.test(prefix) && length <= maxLength ? { address, length } : undefined;
}

function isWithin(address: Address, { address: base, length }: Range): boolean {
  if (address.family === 4) return base.family === 4 && sharePrefix(address.value, base.value, 32, length);
  if (base.family === 4) return false;
  return address.groups.every((group, at) =>
    sharePrefix(group, base.groups[at] as number, 16, Math.min(16, length - at * 16)),
  );
}

/** Whether two numbers of `bits` bits share their first `length` bits. */
function sharePrefix(one: number, other: number, bits: number, length: number): boolean {
  if (length <= 0) return true;
  const unit = 2 ** (bits - length);
  return Math.floor(one / unit) === Math.floor(other / unit);
}

/** Parses an address as in `X-Forwarded-For` or of a socket, perhaps with brackets, a port or a zone. */
export function parseHop(text: string): Address | undefined {
  const value = parseIPv4(text);
  if (value !== undefined) return { family: 4, value };
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  return parseAddress(bare.replace(/%.*/, ''));
}

/** The key that a client is counted by; see `keyOf`. Text that is not an address is its own key. */
export function clientKey(address: string): string {
  const parsed = parseHop(address);
  return parsed === undefined ? address : keyOf(parsed);
}

/**
 * An IPv4 address as it is; an IPv6 one as its /64, the smallest block that a subscriber is assigned (RFC
 * 6177). A new string: a slice of a header would keep the whole header in memory.
 */
export function keyOf(address: Address): string {
  if (address.family === 4) return formatIPv4(address.value);
  const [first, second, third, fourth] = address.groups.map((group) => group.toString(16));
  return `${first}:${second}:${third}:${fourth}::/64`;
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

/** Who shares caps on what waits: a client, or all of an IPv6 /48, which one site may own. */
export function ownerOf(client: string): string {
  return blockOf(client) ?? client;
}

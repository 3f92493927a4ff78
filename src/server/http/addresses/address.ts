import { isIPv6 } from 'node:net';

/** A parsed IP address. */
export type Address =
  | { readonly family: 4; readonly value: number }
  | { readonly family: 6; readonly groups: readonly number[] };

/** Parses an address without zone, brackets or port. IPv4-mapped IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`) counts as IPv4. */
export function parseAddress(text: string): Address | undefined {
  const value = parseIPv4(text);
  if (value !== undefined) return { family: 4, value };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const groups = toGroups(text);
  const isWrapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (!isWrapped) return { family: 6, groups };
  return { family: 4, value: (groups[6] as number) * 0x10000 + (groups[7] as number) };
}

/** Four numbers from 0 to 255 without leading zeros, as one 32-bit number; undefined for any other text. */
export function parseIPv4(text: string): number | undefined {
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
function toGroups(address: string): number[] {
  const [left, right = []] = address.split('::').map(toNumbers) as [number[], number[]?];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function toNumbers(side: string): number[] {
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

import { type Address, parseAddress } from './address.ts';

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
  const longest = address.family === 4 ? 32 : 128;
  if (prefix === undefined) return { address, length: longest };
  const length = Number(prefix);
  return /^\d{1,3}$/.test(prefix) && length <= longest ? { address, length } : undefined;
}

function isWithin(address: Address, { address: base, length }: Range): boolean {
  if (address.family === 4) return base.family === 4 && haveInCommon(address.value, base.value, 32, length);
  if (base.family === 4) return false;
  return address.groups.every((group, at) =>
    haveInCommon(group, base.groups[at] as number, 16, Math.min(16, length - at * 16)),
  );
}

/** Whether two numbers of `bits` bits share their first `length` bits. */
function haveInCommon(one: number, other: number, bits: number, length: number): boolean {
  if (length <= 0) return true;
  const unit = 2 ** (bits - length);
  return Math.floor(one / unit) === Math.floor(other / unit);
}

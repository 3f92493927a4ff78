import { BlockList, isIPv4, isIPv6, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AddressRanges,
  clientKey,
  formatIPv4,
  parseAddress,
  parseAddressRanges,
} from '../../../src/kit/address.ts';
import { createClientOf } from '../../../src/server/http/client.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::4:5:6:192.0.2.33', '1:0:0:4::/64'],
  ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4::/64'],
  ['::ffff:c000:0207', '192.0.2.7'],
  ['64:ff9b::ffff:192.0.2.33', '64:ff9b:0:0::/64'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['', ''],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the client at %s counts as %s', (address, client) => {
  expect(clientKey(address)).toBe(client);
});

function toRanges(entries: readonly string[]): AddressRanges {
  const ranges = parseAddressRanges(entries);
  if ('problem' in ranges) throw new Error(ranges.problem);
  return ranges;
}

function clientOf(trusted: readonly string[], remoteAddress: string | undefined, forwarded?: string): string {
  const of = createClientOf(trusted.length > 0 ? toRanges(trusted) : undefined);
  return of({ remoteAddress } as Socket, forwarded);
}

test('a header that is ignored because no proxy is trusted is reported once, at its first request', () => {
  const reported: string[] = [];
  const socket = { remoteAddress: '10.0.0.1' } as Socket;
  const of = createClientOf(undefined, () => reported.push('ignored'));
  of(socket, undefined);
  expect(reported).toEqual([]);
  for (let times = 0; times < 3; times += 1) expect(of(socket, '203.0.113.9')).toBe('10.0.0.1');
  expect(reported).toEqual(['ignored']);
  createClientOf(toRanges(['192.0.2.0/24']), () => reported.push('trusted'))(socket, '203.0.113.9');
  expect(reported).toEqual(['ignored']);
});

test.each<[string, readonly string[], string, string | undefined, string]>([
  ['nobody is trusted', [], '10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['the peer is not a trusted proxy', ['10.0.0.0/8'], '198.51.100.4', '203.0.113.9', '198.51.100.4'],
  ['one proxy', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['one proxy over IPv6-mapped IPv4', ['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  [
    'a forged address left of the real one',
    ['10.0.0.0/8'],
    '10.0.0.1',
    '1.2.3.4, 203.0.113.9',
    '203.0.113.9',
  ],
  [
    'a chain of proxies',
    ['10.0.0.0/8', '2001:db8::/32'],
    '10.0.0.1',
    '1.2.3.4, 203.0.113.9, 2001:db8::5, 10.9.9.9',
    '203.0.113.9',
  ],
  ['nothing but proxies', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['nothing in front of proxies', ['10.0.0.0/8'], '10.0.0.1', ',10.0.0.2', '10.0.0.2'],
  ['garbage instead of an address', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.9, <script>', '10.0.0.1'],
  ['an address with a port', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.9:5555', '203.0.113.9'],
  ['an IPv6 client', ['10.0.0.1'], '10.0.0.1', '[2001:db8:1:2::9]:5555', '2001:db8:1:2::/64'],
  ['an IPv6 client without port', ['10.0.0.1'], '10.0.0.1', '[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['garbage before an address in brackets', ['10.0.0.1'], '10.0.0.1', 'x[2001:db8:1:2::9]:5', '10.0.0.1'],
  ['garbage after an address in brackets', ['10.0.0.1'], '10.0.0.1', '[2001:db8:1:2::9]x', '10.0.0.1'],
  ['garbage after a port', ['10.0.0.1'], '10.0.0.1', '203.0.113.9:55x', '10.0.0.1'],
  ['a proxy on a link of its own', ['fe80::/64'], 'fe80::1%eth0', '203.0.113.9', '203.0.113.9'],
  ['a proxy of exactly one address', ['10.0.0.1/32', '::1/128'], '::1', '1.2.3.4, 10.0.0.1', '1.2.3.4'],
  ['a neighbour of the one address trusted', ['10.0.0.1/32'], '10.0.0.2', '203.0.113.9', '10.0.0.2'],
  ['a narrow range of IPv6', ['2001:db8:0:1::/64'], '2001:db8:0:1::5', '203.0.113.9', '203.0.113.9'],
  ['a neighbour of that range', ['2001:db8:0:1::/64'], '2001:db8:0:2::5', '1.2.3.4', '2001:db8:0:2::/64'],
  ['no header at all', ['10.0.0.0/8'], '10.0.0.1', undefined, '10.0.0.1'],
])('X-Forwarded-For where %s', (_, trusted, peer, forwarded, client) => {
  expect(clientOf(trusted, peer, forwarded)).toBe(client);
});

test('each request of one connection behind a proxy has its own client', () => {
  const of = createClientOf(toRanges(['10.0.0.0/8']));
  const socket = { remoteAddress: '10.0.0.1' } as Socket;
  const ask = (forwarded: string) => of(socket, forwarded);
  expect(['1.1.1.1', '2.2.2.2', '1.1.1.1'].map(ask)).toEqual(['1.1.1.1', '2.2.2.2', '1.1.1.1']);
});

test('a remembered client is not a slice of the header, which would keep all of it in memory', () => {
  const of = createClientOf(toRanges(['10.0.0.0/8']));
  const collect = globalThis.gc as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const clients = Array.from({ length: 2_000 }, (_, at) =>
    of({ remoteAddress: '10.0.0.1' } as Socket, `${'x'.repeat(16_000)}${at}, 203.113.${at >> 8}.${at & 255}`),
  );
  collect();
  expect(new Set(clients).size).toBe(2_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4 * 1024 * 1024);
});

const anyAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.string({ unit: fc.constantFrom(...'0123456789.:af'), maxLength: 20 }),
);

test('law: an address is parsed exactly if Node parses it', () => {
  const property = fc.property(anyAddress, (text) => {
    const address = parseAddress(text);
    expect(address !== undefined).toBe(isIPv4(text) || isIPv6(text));
    if (isIPv4(text)) expect(address?.family === 4 && formatIPv4(address.value)).toBe(text);
  });
  fc.assert(property, { numRuns: 5_000 });
});

const ranges = fc.oneof(
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
);
const near = (base: string) =>
  fc.oneof(
    fc.constant(base),
    anyAddress,
    fc.nat(255).map((last) => base.replace(/\d+$/, String(last))),
  );

test('law: an address is in a range exactly if Node says so', () => {
  const cases = ranges.chain(([base, length]) =>
    fc.tuple(fc.constant(base), fc.constant(length), near(base)),
  );
  const property = fc.property(cases, ([base, length, text]) => {
    const address = parseAddress(text);
    const start = parseAddress(base);
    // Node finds IPv4 addresses in ranges of IPv6 too; here they are in those of IPv4 and nowhere else.
    const isWrapped = (of: string) => isIPv6(of) && parseAddress(of)?.family === 4;
    if (address === undefined || start === undefined || isWrapped(text) || isWrapped(base)) return;
    const list = new BlockList();
    list.addSubnet(base, length, start.family === 4 ? 'ipv4' : 'ipv6');
    const isFound = list.check(text, address.family === 4 ? 'ipv4' : 'ipv6');
    const expected = isFound && address.family === start.family;
    expect(toRanges([`${base}/${length}`]).has(address)).toBe(expected);
  });
  fc.assert(property, { numRuns: 5_000 });
});

test('law: every spelling of an IPv6 address is the same client', () => {
  const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, fc.nat(7), fc.nat(8), (numbers, from, length) => {
      const isWrapped = numbers.slice(0, 6).join() === '0,0,0,0,0,65535';
      fc.pre(!isWrapped); // IPv4, tested above
      const plain = numbers.map((number) => number.toString(16));
      const client = `${plain.slice(0, 4).join(':')}::/64`;
      expect(clientKey(plain.join(':'))).toBe(client);
      expect(clientKey(plain.map((group) => group.padStart(4, '0').toUpperCase()).join(':'))).toBe(client);
      const until = Math.min(8, from + Math.max(1, length));
      if (numbers.slice(from, until).some((number) => number !== 0)) return;
      expect(clientKey(`${plain.slice(0, from).join(':')}::${plain.slice(until).join(':')}`)).toBe(client);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  '10.0.0.0/33',
  '10.0.0',
  'proxy.example',
  '::/129',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '10.0.0.0/',
  '10.0.0.0/8 ',
  '10.0.0.0/1e1',
  '10.0.0.0/0x8',
  '10.0.0.0/8x',
  '/8',
])('the proxy entry "%s" is refused by name', (entry) => {
  expect(parseAddressRanges([entry])).toEqual({ problem: expect.stringContaining(`"${entry}"`) });
});

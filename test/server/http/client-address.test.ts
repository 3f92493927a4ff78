import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClientOf, parseTrustedProxies, toClientKey } from '../../../src/server/http/client-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['1::4:5:6:7:8', '1:0:0:4::/64'],
  ['1::4:5:6:192.0.2.33', '1:0:0:4::/64'],
  ['::4:5:6:7:8', '0:0:0:4::/64'],
  ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4::/64'],
  ['2001:DB8:A:B::1', '2001:db8:a:b::/64'],
  ['::ffff:1:2', '0:0:0:0::/64'],
  ['64:ff9b::ffff:192.0.2.33', '64:ff9b:0:0::/64'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['', ''],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
])('the client at %s counts as %s', (address, client) => {
  expect(toClientKey(address)).toBe(client);
});

function clientOf(trusted: readonly string[], remoteAddress: string | undefined, forwarded?: string): string {
  const proxies = parseTrustedProxies(trusted);
  if (!(proxies instanceof BlockList)) throw new Error(proxies.problem);
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
  return createClientOf(trusted.length > 0 ? proxies : undefined)(request as unknown as IncomingMessage);
}

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

test('a connection that is gone already has a client all the same', () => {
  expect(clientOf([], undefined)).toBe('');
  expect(clientOf(['10.0.0.0/8'], undefined, '203.0.113.9')).toBe('');
});

test('each request of one connection behind a proxy has its own client', () => {
  const proxies = parseTrustedProxies(['10.0.0.0/8']) as BlockList;
  const of = createClientOf(proxies);
  const socket = { remoteAddress: '10.0.0.1' };
  const ask = (forwarded: string) =>
    of({ socket, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage);
  expect(['1.1.1.1', '2.2.2.2', '1.1.1.1'].map(ask)).toEqual(['1.1.1.1', '2.2.2.2', '1.1.1.1']);
});

test('law: every spelling of an IPv6 address is the same client', () => {
  const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, fc.nat(7), fc.nat(8), (numbers, from, length) => {
      const plain = numbers.map((number) => number.toString(16));
      const client = `${plain.slice(0, 4).join(':')}::/64`;
      expect(toClientKey(plain.join(':'))).toBe(client);
      expect(toClientKey(plain.map((group) => group.padStart(4, '0').toUpperCase()).join(':'))).toBe(client);
      const until = Math.min(8, from + Math.max(1, length));
      if (numbers.slice(from, until).some((number) => number !== 0)) return;
      expect(toClientKey(`${plain.slice(0, from).join(':')}::${plain.slice(until).join(':')}`)).toBe(client);
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
  expect(parseTrustedProxies([entry])).toEqual({ problem: expect.stringContaining(`"${entry}"`) });
});

import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
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
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
])('the client at %s counts as %s', (address, client) => {
  expect(toClientKey(address)).toBe(client);
});

function clientOf(trusted: readonly string[], remoteAddress: string, forwarded?: string): string {
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
  ['no header at all', ['10.0.0.0/8'], '10.0.0.1', undefined, '10.0.0.1'],
])('X-Forwarded-For where %s', (_, trusted, peer, forwarded, client) => {
  expect(clientOf(trusted, peer, forwarded)).toBe(client);
});

test.each([
  '10.0.0.0/33',
  '10.0.0',
  'proxy.example',
  '::/129',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '10.0.0.0/',
  '/8',
])('the proxy entry "%s" is refused by name', (entry) => {
  expect(parseTrustedProxies([entry])).toEqual({ problem: expect.stringContaining(`"${entry}"`) });
});

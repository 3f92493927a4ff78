import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createConnectionCap } from '../../../../src/server/http/connections/connection-cap.ts';
import { parseTrustProxy } from '../../../../src/server/settings/config-parsers.ts';

const trusted = parseTrustProxy('10.0.0.0/8');
const from = (remoteAddress: string | undefined) => ({ remoteAddress }) as Socket;

test.each([
  ['192.0.2.1', { client: '192.0.2.1', limit: 200 }],
  ['::ffff:192.0.2.1', { client: '192.0.2.1', limit: 200 }],
  ['2001:db8:1:2::3', { client: '2001:db8:1:2::/64', limit: 200 }],
  ['127.0.0.1', undefined],
  ['127.9.9.9', undefined],
  ['::ffff:127.0.0.1', undefined],
  ['::1', undefined],
  ['10.1.2.3', undefined],
  [undefined, { client: '', limit: 200 }],
])('without an explicit number, a connection from %s counts towards %j', (address, cap) => {
  expect(createConnectionCap({ limit: undefined, trusted })(from(address))).toEqual(cap);
});

test.each(['127.0.0.1', '10.1.2.3', '192.0.2.1'])('an explicit number applies to %s too', (address) => {
  expect(createConnectionCap({ limit: 7, trusted })(from(address))).toEqual({ client: address, limit: 7 });
});

import { expect, test } from 'vitest';
import { createHostCheck } from '../../../src/server/http/pipeline.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]', 'localhost:8787', '[::1]:1', 'LOCALHOST:65535'];

test('a server on loopback serves loopback names with any port, and nobody else’s', () => {
  const isServed = createHostCheck(true, []);
  for (const host of loopbackHosts) expect(isServed(host), host).toBe(true);
  for (const host of [
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example',
    'evil.example:localhost',
    'localhost:',
    'localhost:123456',
    'localhost:80:80',
    'localhost:80x',
    '127.0.0.2',
    '::1',
    '',
    undefined,
  ]) {
    expect(isServed(host), host).toBe(false);
  }
});

test('an additional name is served with any port, one with a port only with that port, both in upper or lower case', () => {
  const isServed = createHostCheck(true, ['Badge.example', 'api.example:8443']);
  for (const host of ['badge.example', 'BADGE.example:80', 'API.example:8443', ...loopbackHosts]) {
    expect(isServed(host), host).toBe(true);
  }
  for (const host of ['api.example', 'api.example:8444', 'x.badge.example', 'badge.example.']) {
    expect(isServed(host), host).toBe(false);
  }
});

test('a server open to the network serves every name, unless names are given', () => {
  const open = createHostCheck(false, []);
  expect(['anything.example', undefined].map(open)).toEqual([true, true]);
  const named = createHostCheck(false, ['badge.example']);
  expect(['badge.example', 'localhost', 'anything.example', undefined].map(named)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

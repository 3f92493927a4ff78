import { expect, test } from 'vitest';
import { parseStoreUrl, storeText } from '../../../src/server/settings/store-url.ts';

const node = (host: string, port: number) => ({ host, port });

test.each([
  ['redis://store.example.org', { kind: 'single', node: node('store.example.org', 6379), db: 0, tls: false }],
  ['rediss://[::1]:7000/3', { kind: 'single', node: node('::1', 7000), db: 3, tls: true }],
  ['redis://me:p%40ss%3Aword@h', { username: 'me', password: 'p@ss:word' }],
  ['redis://:secret@h', { password: 'secret' }],
  [
    'redis+sentinel://a:1,b/main/2',
    { kind: 'sentinel', nodes: [node('a', 1), node('b', 26_379)], name: 'main', db: 2 },
  ],
  ['redis+cluster://a:1,b:2', { kind: 'cluster', nodes: [node('a', 1), node('b', 2)] }],
  ['unix:///run/redis/redis.sock', { kind: 'socket', path: '/run/redis/redis.sock', db: 0, tls: false }],
  ['unix:///r%20d.sock?db=4', { kind: 'socket', path: '/r d.sock', db: 4 }],
])('%s is understood', (text, address) => {
  expect(parseStoreUrl(text)).toMatchObject(address);
});

test.each([
  ...['', 'http://h', 'redis://', 'redis://a,b', 'redis://h:0', 'redis://h:65536', 'redis://h/x'],
  ...['redis://a b', 'redis+sentinel://a:1', 'redis+cluster://a:1/2', 'unix://relative.sock'],
])('%j is refused with a sentence', (text) => {
  expect(() => parseStoreUrl(text)).toThrow(/^\S.* .*\.$/);
});

test('neither messages nor the text for logs contain a password', () => {
  const secret = 'hunter2';
  for (const text of [`redis://u:${secret}@h,b`, `redis://u:${secret}@h/x`, `http://u:${secret}@h`]) {
    expect(() => parseStoreUrl(text)).toThrow(/^((?!hunter2).)*$/);
  }
  expect(storeText(parseStoreUrl(`rediss://u:${secret}@h:7/1`))).toBe('rediss://h:7/1');
  expect(storeText(parseStoreUrl('redis+sentinel://:x@a:1,[::2]/main'))).toBe(
    'redis+sentinel://a:1,[::2]:26379/main',
  );
});

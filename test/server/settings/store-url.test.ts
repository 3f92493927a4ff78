import { expect, test } from 'vitest';
import { parseStoreUrl, storeText } from '../../../src/server/settings/store-url.ts';

test('one server, with the default port and database if none is given', () => {
  expect(parseStoreUrl('redis://store.example.org')).toEqual({
    kind: 'single',
    node: { host: 'store.example.org', port: 6379 },
    db: 0,
    tls: false,
  });
  expect(parseStoreUrl('rediss://[::1]:7000/3')).toMatchObject({
    node: { host: '::1', port: 7000 },
    db: 3,
    tls: true,
  });
});

test('user name and password are decoded', () => {
  expect(parseStoreUrl('redis://me:p%40ss%3Aword@h')).toMatchObject({
    username: 'me',
    password: 'p@ss:word',
  });
  expect(parseStoreUrl('redis://:secret@h')).toMatchObject({ password: 'secret' });
});

test('sentinels watch a name', () => {
  expect(parseStoreUrl('redis+sentinel://a:1,b/main/2')).toMatchObject({
    kind: 'sentinel',
    nodes: [
      { host: 'a', port: 1 },
      { host: 'b', port: 26_379 },
    ],
    name: 'main',
    db: 2,
  });
});

test('a cluster has nodes and one database', () => {
  expect(parseStoreUrl('redis+cluster://a:1,b:2')).toMatchObject({
    kind: 'cluster',
    nodes: [{ port: 1 }, { port: 2 }],
  });
});

test('a socket is a path', () => {
  expect(parseStoreUrl('unix:///run/redis/redis.sock')).toEqual({
    kind: 'socket',
    path: '/run/redis/redis.sock',
    db: 0,
    tls: false,
  });
  expect(parseStoreUrl('unix:///r%20d.sock?db=4')).toMatchObject({ path: '/r d.sock', db: 4 });
});

test.each([
  'http://h',
  'redis://',
  'redis://a,b',
  'redis://h:0',
  'redis://h:65536',
  'redis://h/x',
  'redis+sentinel://a:1',
  'redis+cluster://a:1/2',
  'unix://relative.sock',
  'redis://a b',
  '',
])('%j is refused with a sentence', (text) => {
  expect(() => parseStoreUrl(text)).toThrow(/^\S.* .*\.$/);
});

test('neither messages nor the text for logs contain a password', () => {
  const secret = 'hunter2';
  for (const text of [`redis://u:${secret}@h,b`, `redis://u:${secret}@h/x`, `http://u:${secret}@h`]) {
    expect(() => parseStoreUrl(text)).toThrow(/^((?!hunter2).)*$/);
  }
  expect(storeText(parseStoreUrl(`rediss://u:${secret}@h:7/1`))).toBe('rediss://h:7/1');
});

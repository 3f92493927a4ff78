import { expect, test } from 'vitest';
import { parseOriginPattern } from '../../../../src/kit/origin-pattern.ts';
import { createCors, createOriginList } from '../../../../src/server/http/cors.ts';
import { readRequestHead } from '../../../../src/server/http/request.ts';

function listOf(...entries: string[]) {
  const patterns = entries.map(parseOriginPattern).flatMap((entry) => ('problem' in entry ? [] : [entry]));
  expect(patterns).toHaveLength(entries.length);
  return createOriginList({ patterns });
}

let origins = listOf('https://example.org', 'https://*.example.com');
const cors = createCors({
  origins: () => origins,
  methods: 'GET, OPTIONS',
  headers: 'Accept, Content-Type',
  maxAge: 86_400,
});
const request = (headers: Record<string, string>) => readRequestHead(Object.entries(headers).flat());

test('only an origin on the list is echoed, exactly as sent', () => {
  expect(cors.allowedOrigin(request({ origin: 'https://example.org' }))).toBe('https://example.org');
  expect(cors.allowedOrigin(request({ origin: 'HTTPS://a.Example.com' }))).toBe('HTTPS://a.Example.com');
  for (const origin of ['null', '', 'https://evil.example', 'http://example.org']) {
    expect(cors.allowedOrigin(request({ origin }))).toBeUndefined();
  }
  expect(cors.allowedOrigin(request({}))).toBeUndefined();
});

test('the list is read again for each request', () => {
  const before = origins;
  origins = listOf('https://new.example');
  expect(cors.allowedOrigin(request({ origin: 'https://new.example' }))).toBe('https://new.example');
  expect(cors.allowedOrigin(request({ origin: 'https://example.org' }))).toBeUndefined();
  origins = before;
});

test('a preflight of an allowed origin is answered with the documented headers and no body', () => {
  expect(cors.preflight).toMatchObject({
    status: 204,
    headers: [
      ...['Access-Control-Allow-Methods', 'GET, OPTIONS'],
      ...['Access-Control-Allow-Headers', 'Accept, Content-Type'],
      ...['Access-Control-Max-Age', '86400'],
    ],
  });
});

test.each<[string, Record<string, string>, boolean]>([
  ['a listed page', { origin: 'https://example.org' }, true],
  ['a listed page of another site', { origin: 'https://example.org', 'sec-fetch-site': 'cross-site' }, true],
  ['a program that is no browser', {}, true],
  ['a page of the server itself, whose Origin a proxy dropped', { 'sec-fetch-site': 'same-origin' }, true],
  ['a foreign page', { origin: 'https://evil.example' }, false],
  ['a sandboxed page', { origin: 'null' }, false],
  ['a page that sends an empty origin', { origin: '' }, false],
  ['a foreign page whose Origin a proxy dropped', { 'sec-fetch-site': 'cross-site' }, false],
])('%s may change state: %#', (_, headers, may) => {
  expect(cors.isForeign(request(headers), cors.allowedOrigin(request(headers)))).toBe(!may);
});

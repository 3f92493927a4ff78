import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OriginPattern, parseOriginPattern } from '../../../src/kit/origin-pattern.ts';
import { createOriginList, isForeign } from '../../../src/server/http/cors.ts';
import { readRequestHead } from '../../../src/server/http/request.ts';

function pattern(text: string): OriginPattern {
  const parsed = parseOriginPattern(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

const listOf = (...entries: string[]) => createOriginList(entries.map(pattern));

const origins = listOf('https://example.org', 'https://*.example.com');
const request = (headers: Record<string, string>) => readRequestHead(Object.entries(headers).flat());

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
  const allowed = headers.origin === undefined ? undefined : origins.match(headers.origin);
  expect(isForeign(request(headers), allowed)).toBe(!may);
});

describe('an entry of the allow-list', () => {
  test.each([
    ['https://example.org', 'https://example.org'],
    ['HTTPS://Example.ORG:443', 'https://example.org'],
    ['http://example.org:80', 'http://example.org'],
    ['http://example.org:443', 'http://example.org:443'],
    ['https://*.Example.org:8443', 'https://*.example.org:8443'],
    ['https://*.localhost', 'https://*.localhost'],
    ['https://*.4.example', 'https://*.4.example'],
    ['http://localhost', 'http://localhost'],
    ['https://192.0.2.7', 'https://192.0.2.7'],
    ['http://[2001:DB8::1]:8080', 'http://[2001:db8::1]:8080'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ])('%s is read as %s', (text, entry) => {
    expect(pattern(text).entry).toBe(entry);
    expect(pattern(entry)).toEqual(pattern(text));
  });

  test.each([
    [
      'no origin at all',
      'is not an origin',
      ['example.org', 'null', '', '*', 'ftp://example.org', 'https://'],
    ],
    ['text around the origin', 'is not an origin', [' https://example.org', 'https://example.org x']],
    ['more than an origin', 'is not an origin', ['https://example.org/', 'https://ada@example.org']],
    [
      'another wildcard',
      'is not an origin',
      ['https://*', 'https://*.*.example.org', 'https://a*.example.org'],
    ],
    ['a port out of range', 'host or port', ['https://example.org:99999']],
    [
      'empty labels',
      'host or port',
      ['https://.example.org', 'https://a..example.org', 'https://example.org.'],
    ],
    ['a sign that no name has', 'host or port', ['https://a,b.example.org', 'https://*.a;b.example.org']],
    ['a short address', 'host or port', ['https://1.2.3', 'https://0x7f.0.0.1', 'https://*.1.2.3']],
    ['a name without end', 'host or port', [`https://${'a.'.repeat(150)}example`]],
    [
      'a wildcard over too much',
      'two labels',
      ['https://*.org', 'https://*.192.0.2.7', 'http://*.[2001:db8::1]'],
    ],
  ])('that contains %s is refused by name: it %s', (_, reason, entries) => {
    for (const entry of entries) {
      const parsed = parseOriginPattern(entry);
      expect(parsed).toEqual({ problem: expect.stringContaining(reason) });
      expect(parsed).toEqual({ problem: expect.stringContaining(`"${entry}"`) });
    }
  });
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const domain = fc.tuple(label, label).map((labels) => labels.join('.'));
const port = fc.constantFrom('', ':8443', ':3000');
const scheme = fc.constantFrom('http', 'https');

test('law: an exact entry allows its own origin, and no other scheme, host or port', () => {
  fc.assert(
    fc.property(
      scheme,
      domain,
      port,
      scheme,
      domain,
      port,
      (ownScheme, own, ownPort, others, other, otherPort) => {
        const mine = `${ownScheme}://${own}${ownPort}`;
        const list = listOf(mine);
        expect(list.match(mine)).toBe(mine);
        for (const origin of [
          `${others}://${own}${ownPort}`,
          `${ownScheme}://${other}${ownPort}`,
          `${ownScheme}://${own}${otherPort}`,
        ]) {
          expect(list.match(origin)).toBe(origin === mine ? mine : undefined);
        }
      },
    ),
  );
});

test('law: a wildcard allows every subdomain at any depth, and neither the domain itself nor its look-alikes', () => {
  fc.assert(
    fc.property(
      scheme,
      fc.array(label, { minLength: 1, maxLength: 4 }),
      domain,
      port,
      (by, labels, own, at) => {
        const entry = `${by}://*.${own}${at}`;
        const list = listOf(entry);
        const below = labels.join('.');
        expect(list.match(`${by}://${below}.${own}${at}`)).toBe(entry);
        for (const origin of [
          `${by}://${own}${at}`,
          `${by}://${below}${own}${at}`,
          `${by}://${below}.${own}.${below}${at}`,
          `${by}://${below}.${own}:1`,
          `${by === 'http' ? 'https' : 'http'}://${below}.${own}${at}`,
        ]) {
          expect(list.match(origin)).toBeUndefined();
        }
      },
    ),
  );
});

test.each([
  'null',
  '',
  'example.org',
  'https://',
  'x https://example.org',
  'https://example.org x',
  'https://example.org/',
  'https://example.org?',
  'https://example.org#',
  'https://example.org\\',
  'https://ada@example.org',
  'https://example.org:99999',
  'https://example.org.',
  'file://example.org',
])('%j is not an origin, whatever is on the list', (origin) => {
  expect(listOf('https://example.org').match(origin)).toBeUndefined();
});

test('loopback origins with any port are allowed if they count as listed, and otherwise not', () => {
  const patterns = [pattern('https://example.org')];
  const local = createOriginList(patterns, true);
  for (const origin of [
    'http://localhost:3000',
    'https://localhost',
    'http://127.0.0.1:5173',
    'http://[::1]:80',
    'http://[0:0::1]',
  ]) {
    expect(local.match(origin)).toBe('loopback');
    expect(createOriginList(patterns).match(origin)).toBeUndefined();
  }
  for (const origin of [
    'http://127.0.0.2',
    'http://localhost.example',
    'http://localhos%74',
    'http://local\u00adhost',
    'http://\uff4cocalhost',
    'http://a.localhost',
    'http://127.1',
  ]) {
    expect(local.match(origin)).toBeUndefined();
  }
  expect(local.match('https://example.org')).toBe('https://example.org');
});

test('a verdict stays the same, even after a flood of other origins', () => {
  const list = listOf('https://*.example.org');
  const ask = () => [list.match('https://a.example.org'), list.match('https://evil.example')];
  const first = ask();
  expect(first).toEqual(['https://*.example.org', undefined]);
  expect(ask()).toEqual(first);
  for (let i = 0; i < 3_000; i += 1) {
    expect(list.match(`https://n${i}.example.org`)).toBe('https://*.example.org');
    expect(list.match(`https://n${i}.example`)).toBeUndefined();
  }
  expect(ask()).toEqual(first);
});

test('an origin longer than any host name can be is not on the list, however it ends', () => {
  const list = listOf('https://*.example.org');
  const tail = '.example.org';
  const longest = `https://${'a.'.repeat(139).slice(0, 280)}a`.slice(0, 300 - tail.length) + tail;
  expect(list.match(longest.replace('..', '.a'))).toBeDefined();
  expect(list.match(`https://${'a.'.repeat(150)}a${tail}`)).toBeUndefined();
});

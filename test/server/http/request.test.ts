import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { localContext } from '../../../src/server/http/local-transport.ts';
import { createRateLimiter } from '../../../src/server/http/rate-limiter.ts';
import {
  type Context,
  charge,
  parseCanonicalPath,
  parseRequestTarget,
  readRequestHead,
} from '../../../src/server/http/request.ts';
import { parseQuery, parseRequest } from '../../../src/server/http/request-schema.ts';

const known = [
  ['Origin', 'origin'],
  ['X-Forwarded-For', 'forwardedFor'],
  ['Transfer-Encoding', 'transferEncoding'],
  ['Upgrade', 'upgrade'],
] as const;

test('what is wrong in a body is named by its field and kind, never by its value', () => {
  const parse = (schema: v.GenericSchema, value: unknown) => parseRequest(schema, { list: [value] });
  const listOf = (each: v.GenericSchema) => v.object({ list: v.array(each) });
  expect(() => parse(listOf(v.string()), 5)).toThrow(/^list\[0\] must be string\.$/);
  expect(() => parse(listOf(v.number('must be a number')), 'x')).toThrow(/^list\[0\] must be a number\.$/);
  expect(() => parse(listOf(v.object({ a: v.string() })), {})).toThrow(/^list\[0\]\.a is missing\.$/);
  const kinds = v.variant('kind', [
    v.object({ kind: v.literal('one') }),
    v.object({ kind: v.literal('two') }),
  ]);
  expect(() => parse(listOf(kinds), {})).toThrow(/^list\[0\]\.kind must be \("one" \| "two"\)\.$/);
  const never = v.pipe(
    v.object({}),
    v.check(() => false, 'is never right'),
  );
  expect(() => parse(never, 5)).toThrow(/^The request body is never right\.$/);
});

test('a number in a query has one to nine digits and nothing else; what is empty or unknown is missing', () => {
  const schema = v.object({ limit: v.optional(v.number()), name: v.optional(v.string()) });
  const parse = (query: string) => parseQuery(schema, query, ['limit']);
  expect(parse('limit=7&name=7&other=1')).toEqual({ limit: 7, name: '7' });
  expect(parse('limit=999999999&name=')).toEqual({ limit: 999_999_999 });
  for (const text of ['1e3', '0x1', '-1', '%207', '7%20', '1234567890', 'x'])
    expect(() => parse(`limit=${text}`), text).toThrow(/^limit must be number\.$/);
  expect(() => parse('name=a&name=')).toThrow(/^name is given twice\.$/);
});

test('what a request costs beyond its route is paid whole or not at all, together at most a full limit', async () => {
  const limiter = createRateLimiter({ name: 'few', rate: 1, burst: 10, now: () => 0 });
  const open = (): Context => ({
    ...localContext({ method: 'GET', path: '/' }),
    ...{ limiter, observation: { id: undefined, route: undefined, refusedBy: undefined } },
  });
  const left = ({ limitHeaders = [] }: Context) => limitHeaders[limitHeaders.indexOf('RateLimit') + 1];
  const first = open();
  await charge(first, 0);
  expect([first.limitHeaders, first.requestedTokens]).toEqual([undefined, 0]);
  for (const [tokens, rest] of [
    [3, 7],
    [4, 3],
  ] as const) {
    await charge(first, tokens);
    expect(left(first)).toBe(`"few";r=${rest};t=${10 - rest}`);
  }
  const other = open();
  await expect(charge(other, 4)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect([left(other), other.observation?.refusedBy]).toEqual(['"few";r=3;t=7', 'few']);
  await charge(first, 99);
  expect([left(first), first.observation?.refusedBy]).toEqual(['"few";r=0;t=10', undefined]);
  await charge({ ...open(), limiter: undefined }, 99);
});

describe('the head of a request', () => {
  test.each(known)('has %s, in any case; sent twice, its values are joined', (name, field) => {
    expect(readRequestHead([name, 'a'])[field]).toBe('a');
    expect(readRequestHead(['X', 'y', name.toUpperCase(), 'a', name.toLowerCase(), 'b'])[field]).toBe('a, b');
    for (const [, other] of known)
      if (other !== field) expect(readRequestHead([name, 'a'])[other]).toBeUndefined();
  });

  test('counts the Host headers, and has the last one', () => {
    expect(readRequestHead(['Host', 'a', 'host', 'b'])).toMatchObject({ host: 'b', hosts: 2 });
    expect(readRequestHead([])).toMatchObject({ host: undefined, hosts: 0 });
  });

  test('leaves out headers that only look alike', () => {
    const nothing = readRequestHead([]);
    expect(readRequestHead(['Hosts', 'a', 'Cookie', 'b', 'Hos', 'c', 'Best', 'd', 'X-Origin', 'e'])).toEqual(
      nothing,
    );
  });
});

describe('a request target', () => {
  test.each([
    ['/', { path: '/', query: '' }],
    ['/a/b', { path: '/a/b', query: '' }],
    ['/a?', { path: '/a', query: '' }],
    ['/a?x=1?y', { path: '/a', query: 'x=1?y' }],
    ['/?http://b/', { path: '/', query: 'http://b/' }],
    ['http://a:1/b?c', { path: '/b', query: 'c', authority: 'a:1' }],
    ['HTTPS://a', { path: '/', query: '', authority: 'a' }],
    ['http://a?b', { path: '/', query: 'b', authority: 'a' }],
    ['http:///b', { path: '/b', query: '', authority: '' }],
    ['*', { path: '*', query: '' }],
    ['a:443', { path: 'a:443', query: '' }],
    ['ftp://a/b', { path: 'ftp://a/b', query: '' }],
    ['xhttp://a/b', { path: 'xhttp://a/b', query: '' }],
    ['http:/a', { path: 'http:/a', query: '' }],
    ['', { path: '', query: '' }],
  ])('%s has the parts %j', (target, parts) => {
    expect(parseRequestTarget(target)).toEqual(parts);
  });

  test('in absolute form keeps a fragment in its path, where it is not allowed', () => {
    const { path } = parseRequestTarget('http://a#b');
    expect(path).toBe('/#b');
    expect(parseCanonicalPath(path)).toBeUndefined();
  });
});

describe('a canonical path', () => {
  test.each([
    ['/', ['']],
    ['/a', ['a']],
    ['/a/', ['a', '']],
    ['/a.b/..c/d..', ['a.b', '..c', 'd..']],
    ['/...', ['...']],
    ["/~a-._!$&'()*+,;=:@", ["~a-._!$&'()*+,;=:@"]],
    ['/%20x', [' x']],
    ['/%C3%A4/b%22', ['ä', 'b"']],
    ['/%F0%9F%98%80', ['😀']],
    ['/%25', ['%']],
  ])('%s has the segments %j', (path, segments) => {
    expect(parseCanonicalPath(path)).toEqual(segments);
  });

  test('allows the first characters after the control characters', () => {
    expect(parseCanonicalPath('/%C2%A0')).toEqual(['\u00a0']);
  });

  test('law: paths with the same segments are equal, except for characters that need no escape', () => {
    const reserved = "!$&'()*+,;=:@";
    const segment = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const spelled = `/${segments.map(encodeURIComponent).join('/')}`;
        const parsed = parseCanonicalPath(spelled);
        const isHarmless = segments.every((text) => !/^\.{1,2}$|[/\\\p{Cc}]/u.test(text));
        expect(parsed).toEqual(isHarmless ? segments : undefined);
        if (!isHarmless) return;
        // Any further escape makes it another path, or none.
        for (const [at, character] of [...spelled].entries()) {
          if (character === '/' || character === '%' || /%.?$/.test(spelled.slice(0, at))) continue;
          if (reserved.includes(character)) continue;
          const escaped = `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
          expect(parseCanonicalPath(spelled.slice(0, at) + escaped + spelled.slice(at + 1))).toBeUndefined();
        }
      }),
      { numRuns: 500 },
    );
  });
});

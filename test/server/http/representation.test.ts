import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Coding, parseWeights, selectCoding } from '../../../src/server/http/accept-encoding.ts';
import { createRepresentation, isMatchHit, isNoneMatchHit } from '../../../src/server/http/representation.ts';
import { type Context, readRequestHead } from '../../../src/server/http/request.ts';

test.each([10, 60_000, 100_000, 1_000_000])(
  'a body of %i bytes comes whole in every coding',
  async (size) => {
    // Every other half can be compressed.
    const half = randomBytes(size / 2).toString('latin1');
    const written = Buffer.from((half + 'x'.repeat(size)).slice(0, size));
    const representation = await createRepresentation({
      body: written,
      type: 'text/plain',
      cacheControl: '',
    });
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
    for (const [acceptEncoding, decode] of Object.entries(decoders)) {
      const context = { head: { ...readRequestHead([]), acceptEncoding } } as Context;
      const { body: sent = '', encoding, headers, vary } = representation.reply(context);
      const bytes = typeof sent === 'string' ? Buffer.from(sent, encoding) : sent;
      const isCoded = headers.includes('Content-Encoding');
      // Ten bytes become more, and megabytes are not kept as a string.
      expect([isCoded, vary]).toEqual(
        size === 10 ? [false, undefined] : [acceptEncoding !== 'identity', 'Accept-Encoding'],
      );
      expect(typeof sent === 'string').toBe(bytes.length <= 64 * 1024);
      expect((isCoded ? decode(bytes) : bytes).equals(written)).toBe(true);
    }
  },
);

test('what is missing is said in full, also to a client that has the same answer already', async () => {
  const missing = await createRepresentation({
    body: '{}',
    type: 'text/plain',
    cacheControl: '',
    status: 404,
  });
  const context = { head: { ...readRequestHead([]), ifNoneMatch: '*' } } as Context;
  expect(missing.reply(context)).toMatchObject({ status: 404, body: '{}' });
});

const etag = '"abc"';

test.each([
  [undefined, false],
  ['', false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['*', true],
  [' * ', true],
  ['"x",W/"abc" , "y"', true],
  [',,"abc",', true],
  ['"x"', false],
  ['"aW/bc"', false],
  ['""', false],
  ['abc', false],
  ['"abc', false],
  ['w/"abc"', false],
  ['*, "abc"', false],
  ['"abc" ; "x"', false],
  ['"a"abc"', false],
  ['"a\u0000", "abc"', false],
])('If-None-Match %j names "abc": %s', (header, hit) => {
  expect(isNoneMatchHit(header, etag)).toBe(hit);
});

test('law: a tag is found at any place in a list, weakened or not, and never if it is not in the list', () => {
  const tag = fc.stringMatching(/^"[!#-~]{0,8}"$/);
  const spelled = fc.record({ tag, isWeak: fc.boolean(), comma: fc.constantFrom(',', ', ', ' , ', ',\t,') });
  fc.assert(
    fc.property(fc.array(spelled, { minLength: 1, maxLength: 6 }), tag, (list, wanted) => {
      const header = list.map((one) => `${one.isWeak ? 'W/' : ''}${one.tag}${one.comma}`).join('');
      expect(isNoneMatchHit(header, wanted)).toBe(list.some((one) => one.tag === wanted));
      for (const one of list) expect(isNoneMatchHit(header, one.tag)).toBe(true);
    }),
  );
});

test.each([
  ['"a"', true],
  ['"b", "a"', true],
  [' * ', true],
  ['W/"a"', false],
  ['"b"', false],
  ['', false],
  ['"a" x', false],
])('If-Match: %s names the tag "a" itself: %s', (header, expected) => {
  expect(isMatchHit(header, '"a"')).toBe(expected);
});

const all: readonly Coding[] = ['br', 'gzip', 'identity'];

describe('the coding for Accept-Encoding', () => {
  test.each<[string | undefined, Coding]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', 'identity'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['br;q=0.1, gzip;q=0.2', 'gzip'],
    ['br;q=0.001', 'br'],
    ['br;q=0.5, gzip;q=1.000', 'gzip'],
    ['identity;q=0.5, gzip;q=0.4', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity, br;q=0.9', 'identity'],
    ['br;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, *;q=0', 'identity'],
    ['gzip;q=0, *', 'br'],
  ])('%j is %s', (accept, coding) => {
    expect(selectCoding(accept, all)).toBe(coding);
  });
});

describe('the weights of a list', () => {
  const weights = (header: string) => [...parseWeights(header)];

  test.each([
    'a;q=1.5',
    'a;q=1.001',
    'a;q=-1',
    'a;q=0.1234',
    'a;q=',
    'a;q',
    'a;x=1',
    'a;q=1;q=1',
    'a b',
    ';q=1',
    'a;q=00',
  ])('%j is malformed, and affects nothing else', (element) => {
    expect(weights(`${element}, ok`)).toEqual([['ok', 1]]);
  });

  test('law: white space and case never matter, and every weight of up to three decimals is read exactly', () => {
    const space = fc.constantFrom('', ' ', '\t', '  ');
    const element = fc.record({ name: fc.stringMatching(/^[a-z]{1,6}$/), thousandths: fc.nat(1000), space });
    fc.assert(
      fc.property(fc.uniqueArray(element, { selector: ({ name }) => name }), (elements) => {
        const header = elements.map(
          (one) =>
            `${one.space}${one.name.toUpperCase()}${one.space};${one.space}q${one.space}=${one.space}${(one.thousandths / 1000).toFixed(3)}${one.space}`,
        );
        expect(weights(header.join(','))).toEqual(elements.map((one) => [one.name, one.thousandths / 1000]));
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Coding, parseWeights, selectCoding } from '../../../../src/server/http/accept-encoding.ts';

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

  test('is always one of those offered', () => {
    expect(selectCoding('br, gzip;q=0.5', ['gzip', 'identity'])).toBe('gzip');
    expect(selectCoding('br', ['identity'])).toBe('identity');
  });

  test('is the first one among equals', () => {
    expect(selectCoding('br, gzip', ['gzip', 'br', 'identity'])).toBe('gzip');
  });

  test('stays the same, even after a flood of other values', () => {
    const ask = () => ['br', 'gzip;q=1', 'deflate'].map((accept) => selectCoding(accept, all));
    expect(ask()).toEqual(['br', 'gzip', 'identity']);
    for (let i = 0; i < 300; i += 1) expect(selectCoding(`x${i}, gzip`, all)).toBe('gzip');
    expect(ask()).toEqual(['br', 'gzip', 'identity']);
    const long = `gzip, ${'x'.repeat(300)}`;
    expect([long, long].map((accept) => selectCoding(accept, all))).toEqual(['gzip', 'gzip']);
  });
});

describe('the weights of a list', () => {
  const weights = (header: string) => [...parseWeights(header)];

  test('are 1 by default', () => {
    expect(weights('a, b;q=0.25,c; q = 0 ,d\t;\tQ=1.000')).toEqual([
      ['a', 1],
      ['b', 0.25],
      ['c', 0],
      ['d', 1],
    ]);
  });

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

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonExcess } from '../../../../src/server/http/requests/json-shape.ts';

const find = (text: string) => findJsonExcess(Buffer.from(text));
const withNames = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ [`name ${index}`]: index })));

test('the allowed number of nested brackets is accepted, one more is not', () => {
  expect(find('['.repeat(32) + ']'.repeat(32))).toBeUndefined();
  expect(find('['.repeat(33) + ']'.repeat(33))).toBe('more than 32 nested brackets');
  expect(find('{"a":'.repeat(33))).toBe('more than 32 nested brackets');
});

test('brackets and names inside strings do not count', () => {
  const text = `${'[{'.repeat(500)}\\"${Array.from({ length: 500 }, (_, index) => `"${index}":`).join()}`;
  expect(find(JSON.stringify({ text, lines: [text] }))).toBeUndefined();
});

test('more different names than any request has are refused, wherever they are', () => {
  expect(find(withNames(100))).toBeUndefined();
  expect(find(withNames(1_000))).toBe('more than 128 different names');
  const flat = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, 0]));
  expect(find(JSON.stringify(flat))).toBe('more than 128 different names');
  expect(find(JSON.stringify(flat, null, 2))).toBe('more than 128 different names');
});

test('repeated names are accepted', () => {
  const keys = Array.from({ length: 20_000 }, (_, seq) => ({ seq, char: '"', seek_ms: seq % 300 }));
  expect(find(JSON.stringify({ inputs: keys }))).toBeUndefined();
});

test('any JSON with few names and few levels may pass', () => {
  const value = fc.jsonValue({ maxDepth: 8 }).filter((json) => JSON.stringify(json).split(':').length <= 128);
  fc.assert(fc.property(value, (json) => find(JSON.stringify(json)) === undefined));
});

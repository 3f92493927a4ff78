import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonExcess } from '../../../../src/server/http/requests/json-shape.ts';

const find = (text: string) => findJsonExcess(Buffer.from(text));
const tooManyShapes = 'objects of more than 512 shapes';
const listOf = (count: number, toObject: (index: number) => object) =>
  JSON.stringify({ list: Array.from({ length: count }, (_, index) => toObject(index)) });

test('as many brackets within each other as allowed are no excess, one more is', () => {
  expect(find('['.repeat(32) + ']'.repeat(32))).toBeUndefined();
  expect(find('['.repeat(33) + ']'.repeat(33))).toBe('more than 32 nested brackets');
  expect(find('{"a":'.repeat(33))).toBe('more than 32 nested brackets');
});

test('brackets and names within texts do not count', () => {
  const text = `${'[{'.repeat(500)}\\"${Array.from({ length: 900 }, (_, index) => `"${index}":`).join()}`;
  expect(find(JSON.stringify({ text, lines: [text] }))).toBeUndefined();
});

test('more shapes of objects than any request has are an excess: by new names', () => {
  expect(find(listOf(200, (index) => ({ [`name ${index}`]: index })))).toBeUndefined();
  expect(find(listOf(1_000, (index) => ({ [`name ${index}`]: index })))).toBe(tooManyShapes);
  const flat = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, 0]));
  expect(find(JSON.stringify(flat))).toBe(tooManyShapes);
  expect(find(JSON.stringify(flat, null, 2))).toBe(tooManyShapes);
});

test('more shapes of objects than any request has are an excess: by new orders of the same names', () => {
  const toOrder = (index: number) =>
    Object.fromEntries(['a', 'b', 'c', 'd'].map((name, at) => [`${name}${(index >> (3 * at)) % 8}`, 0]));
  expect(find(listOf(4_096, toOrder))).toBe(tooManyShapes);
});

test('more objects and arrays than a whole round has are an excess', () => {
  expect(find(`[${'{},'.repeat(32_000)}{}]`)).toBeUndefined();
  expect(find(`[${'{},'.repeat(33_000)}{}]`)).toBe('more than 32768 objects and arrays');
  expect(find(`[${'[],'.repeat(33_000)}[]]`)).toBe('more than 32768 objects and arrays');
});

test('a whole round of the most keys is no excess, whatever they are', () => {
  const keys = Array.from({ length: 11_000 }, (_, index) => {
    const key = { type: 'keystroke', seq: index, char: '"', seek_time_ms: index % 300 };
    return index % 3 === 0 ? { ...key, round_id: 'x' } : key;
  });
  expect(find(JSON.stringify({ inputs: keys }))).toBeUndefined();
});

test('any JSON with few names and few levels may pass', () => {
  const value = fc.jsonValue({ maxDepth: 8 }).filter((json) => JSON.stringify(json).split(':').length <= 512);
  fc.assert(fc.property(value, (json) => find(JSON.stringify(json)) === undefined));
});

test('brackets that close nothing, and texts that never end, are left to the parser', () => {
  expect(find(`${']'.repeat(100)}{"a":1}`)).toBeUndefined();
  expect(find('{"a":"never ends')).toBeUndefined();
  expect(find('{"a":"ends within an escape\\')).toBeUndefined();
});

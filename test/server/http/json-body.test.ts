import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, readBody } from '../../../src/server/http/json-body.ts';
import { type RequestHead, readRequestHead } from '../../../src/server/http/request.ts';
import { limits } from '../../../src/server/settings/limits.ts';

const readJson = async (request: IncomingMessage, head: RequestHead, maxBytes: number) =>
  parseJson(await readBody(request, head, '', maxBytes), head);
const headOf = (...headers: string[]) => readRequestHead(['Content-Type', 'application/json', ...headers]);

/** A request whose body comes in these pieces, in one turn of the loop or in a turn each. */
function requestOf(pieces: readonly Buffer[], isComplete: boolean): IncomingMessage {
  const request = Object.assign(new Readable({ read() {} }), { complete: isComplete });
  const send = async () => {
    for (const piece of pieces) {
      request.push(piece);
      if (!isComplete) await nextTurn();
    }
    request.push(null);
  };
  void send();
  return request as unknown as IncomingMessage;
}

const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { maxKeys: 4 });

test('law: a body is read as it was sent, whole or in pieces of any size, unless it is longer than it may be', async () => {
  const cuts = fc.array(fc.nat(300), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      ...[objects, cuts, fc.boolean(), fc.boolean(), fc.integer({ min: -2, max: 2 })],
      async (value, cuts, isComplete, hasLength, room) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const places = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
        const head = headOf(...(hasLength ? ['Content-Length', String(bytes.length)] : []));
        const sent = requestOf(
          pieces.filter(({ length }) => length > 0),
          isComplete,
        );
        const body = readJson(sent, head, bytes.length + room);
        const tooLarge = {
          code: 'REQUEST_TOO_LARGE',
          message: expect.stringContaining(` ${bytes.length + room} bytes`),
        };
        if (room < 0) await expect(body).rejects.toMatchObject(tooLarge);
        else expect(JSON.stringify(await body)).toBe(JSON.stringify(JSON.parse(bytes.toString())));
      },
    ),
  );
});

test('a body that is no object is refused, and one in another encoding is said to be so', () => {
  for (const text of ['null', '7', '"x"', '[]', 'true'])
    expect(() => parseJson(Buffer.from(text), headOf())).toThrow('must be a JSON object');
  const latin = Buffer.from('{"a":"\u00e4"}', 'latin1');
  expect(() => parseJson(latin, headOf())).toThrow('it is not UTF-8');
});

test('a body of nothing is an object without fields, however it comes and whatever its type', async () => {
  for (const head of [readRequestHead([]), readRequestHead(['Content-Length', '0'])]) {
    for (const isComplete of [true, false])
      expect(await readJson(requestOf([], isComplete), head, 9)).toEqual({});
  }
});

test('the reading of a body that ends early fails, also if it ended before', async () => {
  for (const isGone of [true, false]) {
    const request = requestOf([Buffer.from('{"a"')], false);
    if (isGone) request.destroy();
    const body = readJson(request, headOf(), 99);
    const outcome = expect(body).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    setTimeout(() => request.destroy(), 5);
    await outcome;
  }
});

const parse = (text: string) => parseJson(Buffer.from(text), headOf());

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('law: a value with more brackets inside each other than allowed is refused, whatever its texts hold', () => {
  const text = fc.string({ unit: fc.constantFrom(...'[]{}"\\ab') });
  const shells = fc.array(fc.tuple(fc.boolean(), text, fc.nat(3)), { minLength: 28, maxLength: 36 });
  fc.assert(
    fc.property(shells, (all) => {
      const around = (inside: unknown, [isList, name, siblings]: [boolean, string, number]): unknown => {
        const others = Array.from({ length: siblings }, () => [{ [name]: name }]);
        return isList ? [...others, name, inside, []] : { [`${name}1`]: others, inside, [`${name}2`]: {} };
      };
      const value = { value: all.reduce(around, 'innermost') };
      const attempt = () => parse(JSON.stringify(value));
      if (depthOf(value) > limits.jsonDepth) expect(attempt).toThrow(`more than ${limits.jsonDepth} nested`);
      else expect(attempt()).toEqual(value);
    }),
  );
});

test('law: the error about a body that is not JSON names the first character that cannot be there', () => {
  fc.assert(
    fc.property(
      ...[objects, fc.nat(3), fc.nat(), fc.constantFrom('\u0001', '@', 'the end')],
      (value, indent, place, wrong) => {
        const text = JSON.stringify(value, null, indent);
        const at = place % (wrong === 'the end' ? text.length : text.length + 1);
        fc.pre(wrong !== 'the end' || at > 0);
        const before = text.slice(0, at);
        // In a text, only a control character is wrong; behind a backslash, engines name another place.
        const isInText = before.replace(/\\./g, '').split('"').length % 2 === 0;
        fc.pre(!(isInText && (wrong === '@' || /\\[^"]{0,4}$/.test(before))));
        const lines = before.split('\n');
        const named = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
        const broken = wrong === 'the end' ? before : before + wrong + text.slice(at);
        expect(() => parse(broken)).toThrow(`is not valid JSON: ${named}.`);
      },
    ),
  );
});

test('the place of a mistake in a long text is not searched for', () => {
  expect(() => parse(`{"x":"${'x'.repeat(limits.bodyBytes)}","y":@}`)).toThrow(/is not valid JSON\.$/);
});

test('law: JSON may name its charset UTF-8 in any spelling of the field, and nothing else', () => {
  const space = fc.constantFrom('', ' ', '\t', '  ');
  const quote = fc.constantFrom('', '"');
  fc.assert(
    fc.property(
      ...[
        fc.array(space, { minLength: 5, maxLength: 5 }),
        quote,
        fc.boolean(),
        fc.constantFrom('', ...'x;-'),
      ],
      ([a, b, c, d, e], quote, isLoud, more) => {
        const named = `application/json${a};${b}charset${c}=${d}${quote}utf-8${quote}${e}`;
        const type = isLoud ? named.toUpperCase() : named;
        const head = (type: string) => readRequestHead(['Content-Type', type]);
        const attempt = (type: string) => () => parseJson(Buffer.from('{"a":1}'), head(type));
        expect(attempt(type)()).toEqual({ a: 1 });
        expect(attempt(`application/json${a}`)()).toEqual({ a: 1 });
        if (more === '') return;
        for (const wrong of [`${more}${type}`, `${type}${more}`, `application/json${more}${a}`])
          expect(attempt(wrong)).toThrow('Send the body as application/json');
      },
    ),
  );
});

test('of the bodies that a client sends slowly only some are kept; when one is complete, there is room again', async () => {
  const head = headOf();
  const slow = Array.from({ length: limits.clientBodies }, () =>
    Object.assign(new Readable({ read() {} }), { complete: false }),
  );
  // Each of another client of the same IPv6 /48.
  const read = slow.map((request, at) =>
    readBody(request as unknown as IncomingMessage, head, `2001:db8:1:${at}::/64`, 100),
  );
  await nextTurn();
  const send = async (client: string) =>
    String(await readBody(requestOf([Buffer.from('{}')], false), head, client, 100));
  await expect(send('2001:db8:1:ffff::/64')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect([await send('2001:db8:2:1::/64'), await send('203.0.113.1')]).toEqual(['{}', '{}']);
  slow[0]?.push(null);
  await read[0];
  expect(await send('2001:db8:1:ffff::/64')).toBe('{}');
  for (const request of slow) request.push(null);
  await Promise.all(read);
});

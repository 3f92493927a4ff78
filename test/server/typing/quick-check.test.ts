import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { KeystrokeRequestSchema, SpaceRequestSchema } from '../../../src/contract/request-types.ts';
import { isPlainKeystroke, isPlainSpace } from '../../../src/server/typing/requests/quick-check.ts';

const anyNumber = fc.oneof(
  fc.constantFrom(-1, -0, 0, 1, 0.5, 3_600_000, 3_600_001, 1_000_000, 1_000_001, 2 ** 53, 1e300),
  fc.integer(),
  fc.double(),
);
const anyValue = fc.oneof(anyNumber, fc.constantFrom(undefined, null, true, '1', ''), fc.jsonValue());
const bodies = fc.record(
  {
    char: fc.oneof(fc.string({ maxLength: 2 }), fc.string({ minLength: 1, maxLength: 1 }), anyValue),
    seek_time_ms: fc.oneof(fc.nat(4_000_000), anyValue),
    seq: fc.oneof(fc.nat(300), anyValue),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe.each([
  ['a keystroke', isPlainKeystroke, KeystrokeRequestSchema],
  ['a space', isPlainSpace, SpaceRequestSchema],
] as const)('the quick check of %s', (_, isPlain, schema) => {
  it('accepts nothing that the schema refuses or changes', () => {
    let [taken, tried] = [0, 0];
    fc.assert(
      fc.property(bodies, (body) => {
        tried++;
        // As it comes from the wire: what is undefined is not there.
        const sent = JSON.parse(JSON.stringify(body));
        if (!isPlain(sent)) return;
        taken++;
        const { success, output } = v.safeParse(schema, sent);
        expect(success).toBe(true);
        expect(sent).toEqual(Object.assign({}, sent, output));
      }),
      { numRuns: 5000 },
    );
    // Enough of them to mean something, however many were tried.
    expect(taken).toBeGreaterThan(tried / 100);
  });
});

it('accepts the usual form of keys', () => {
  for (const char of 'abcxyz,.;:!?AZ09~') {
    expect(isPlainKeystroke({ char, seek_time_ms: 120, seq: 7 })).toBe(true);
    expect(isPlainKeystroke({ char })).toBe(true);
  }
  expect(isPlainSpace({})).toBe(true);
  expect(isPlainSpace({ seek_time_ms: 80, seq: 180 })).toBe(true);
});

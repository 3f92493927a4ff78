import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { badgeApi } from '../../src/contract/openapi/badge-operations.ts';
import { deskApi } from '../../src/contract/openapi/desk-operations.ts';
import { typingApi } from '../../src/contract/openapi/typing-operations.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The example of each answer in the document, with its schema. */
const examples = [typingApi, deskApi, badgeApi].flatMap(({ operations }) =>
  operations.flatMap(({ route, answer, example }): [string, v.GenericSchema, Json][] =>
    answer === undefined || answer === 'any object' ? [] : [[route, answer, example?.answer as Json]],
  ),
);

const isParent = (value: Json): value is readonly Json[] | { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null;

/** The places of all values in an example, such as `rounds.0.wpm`. */
function placesIn(value: Json): string[] {
  if (!isParent(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...placesIn(inner).map((place) => `${name}.${place}`),
  ]);
}

/** The example with something of another type at a place, or without what is there. */
function changed(value: Json, place: string, isRemoved = false): Json {
  const [name = '', ...rest] = place.split('.');
  const copy: Record<string, Json> = { ...(value as Record<string, Json>) };
  const inner = copy[name] as Json;
  if (rest.length > 0) copy[name] = changed(inner, rest.join('.'), isRemoved);
  else if (isRemoved) delete copy[name];
  else copy[name] = typeof inner === 'string' || inner === null ? [7] : 'something else';
  return Array.isArray(value) ? Object.values(copy) : copy;
}

/** What an answer may lack: what not every server or round has, and what depends on the letters that were typed. */
const optional =
  /^(?:next|store|line_ends|indents|focus|version|reasons|succession)$|^rounds\.0\.client$|(?:letter_\w+|finger_stats|row_stats|bigrams)\.[^.]+(?:\.accuracy|\.average_ms)?$|\.fingers\./;

describe.each(examples)('the answer to %s', (_, schema, example) => {
  test('is read whole', () => {
    expect(v.parse(schema, example)).toEqual(example);
  });

  test('is refused with a value of another type anywhere, and without what it must have', () => {
    for (const place of placesIn(example)) {
      expect([place, v.is(schema, changed(example, place))]).toEqual([place, false]);
      if (!/\.\d+$/.test(place) && !optional.test(place))
        expect([place, v.is(schema, changed(example, place, true))]).toEqual([place, false]);
    }
  });
});

// Values in several requests and answers.
import * as v from 'valibot';

/** A schema with its meaning, for the OpenAPI document. */
export function described<S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.pipe(schema, v.description<v.InferOutput<S>, string>(meaning));
}

/** An entry that may be missing. */
export function optional<S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.exactOptional(described(schema, meaning));
}

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const quantity = v.pipe(v.number(), v.minValue(0));

export const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

export const timestamp = v.pipe(v.string(), v.isoTimestamp());

export const nextPage = optional(v.string(), 'More follow: repeat the request with `after` set to this id.');

export function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

export function wholeBetween(min: number, max: number, what: string) {
  return described(whole(min, max), what);
}

export function maxLengthOf(max: number) {
  return v.maxLength<string, number, string>(max, `must have at most ${max} characters`);
}

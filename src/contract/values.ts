// Values that several requests or answers have.
import * as v from 'valibot';

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const quantity = v.pipe(v.number(), v.minValue(0));

export const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

export const timestamp = v.pipe(v.string(), v.isoTimestamp());

export const nextPage = v.exactOptional(
  v.pipe(v.string(), v.description('Ask again with `after` set to this id: more follow.')),
);

export function wholeBetween(min: number, max: number, what: string) {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
    v.description(what),
  );
}

export function maxLengthOf(max: number) {
  return v.maxLength<string, number, string>(max, `must have at most ${max} characters`);
}

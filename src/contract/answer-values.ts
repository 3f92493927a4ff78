// Values that many answers of the typing API share.
import * as v from 'valibot';

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const quantity = v.pipe(v.number(), v.minValue(0));

export const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

export const timestamp = v.pipe(v.string(), v.isoTimestamp());

export const nextPage = v.exactOptional(
  v.pipe(v.string(), v.description('Ask again with `after` set to this id: more follow.')),
);

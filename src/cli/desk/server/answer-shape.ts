import * as v from 'valibot';
import { RefusedError } from '../../program/command-errors.ts';

/** Refuses an answer whose shape is not that of the API: the server may be any program at any address. */
export function checkShape(value: unknown, schema: v.GenericSchema, what: string): void {
  if (!v.is(schema, value)) throw toShapeRefusal(`it sent no ${what} that can be read`);
}

export function toShapeRefusal(why: string): RefusedError {
  return new RefusedError(`the server does not answer as a typebadge server does: ${why}; check its address`);
}

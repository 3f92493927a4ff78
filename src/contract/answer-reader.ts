import * as v from 'valibot';

/** Values that replace an entry that is missing or does not match its schema. */
const blanks: Readonly<Record<string, unknown>> = { number: 0, string: '', boolean: false };

/** Limit of the entries read from a list or record: no real answer has more. */
const maxEntries = 1_000;

/**
 * Reads statistics by their schema without giving up, because a server that implements only the original two
 * documents leaves out later additions: a number that is missing or does not match becomes 0, anything
 * nullable becomes null.
 */
export function readStatistics<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  return read(schema, answer) as v.InferOutput<Schema>;
}

interface Part {
  readonly type: string;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
}

function read(schema: v.GenericSchema, answer: unknown): unknown {
  const { entries, item, value, wrapped }: Part = schema as unknown as Part;
  if (entries !== undefined) return readObject(entries, recordOf(answer));
  if (item !== undefined)
    return Array.isArray(answer) ? answer.slice(0, maxEntries).map((entry) => read(item, entry)) : [];
  if (value !== undefined) {
    const all = Object.entries(recordOf(answer)).slice(0, maxEntries);
    return Object.fromEntries(all.map(([name, entry]) => [name, read(value, entry)]));
  }
  const result = v.safeParse(schema, answer);
  if (result.success) return result.output;
  return blanks[schema.type] ?? (wrapped === undefined ? undefined : null);
}

function readObject(
  entries: Readonly<Record<string, v.GenericSchema>>,
  answer: Readonly<Record<string, unknown>>,
): unknown {
  const present = Object.entries(entries).filter(
    ([name, schema]) => schema.type !== 'exact_optional' || v.is(schema, answer[name]),
  );
  return Object.fromEntries(present.map(([name, schema]) => [name, read(schema, answer[name])]));
}

function recordOf(answer: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  return isRecord ? (answer as Record<string, unknown>) : {};
}

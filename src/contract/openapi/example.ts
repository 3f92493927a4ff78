interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00Z',
  uuid: '5b0bbe4f-2f0c-4a92-8f0e-6d1f1a6e8e57',
};

/** What fields with these names, and schemas, hold in examples. */
const samples: Readonly<Record<string, string | number | readonly string[]>> = {
  AnnouncementId: '2026-001',
  message: 'Search is back.',
  link: 'https://status.example.org',
  expires: '+30d',
  origin: 'https://example.org',
  origins: ['https://example.org'],
  site: 'example.org',
  by: 'anna',
  editor: 'anna',
  day: '2026-01-15',
  session_id: '9f8b6c1d2e3f40516273849506a7b8c9',
  language: 'en',
  layout: 'qwerty',
  words: ['they', 'said'],
  start_time_unix_ms: Date.UTC(2026, 0, 15, 9, 30),
  end_time_unix_ms: Date.UTC(2026, 0, 15, 9, 31),
  duration_ms: 60_000,
  mode: 'words-30',
  char: 't',
  seek_time_ms: 180,
  seq: 1,
};

/**
 * An example that a schema accepts: its required fields, the optional ones that have a sample, and the first
 * of several choices.
 *
 * @param named the schemas that references lead to
 * @param name of the field or schema
 */
export function exampleOf(schema: Schema, named: Readonly<Record<string, Schema>>, name = ''): unknown {
  const { $ref = '', oneOf, anyOf = oneOf, type, format, properties, required = [], items } = schema;
  const reference = $ref.replace(/.*\//, '');
  const referred = named[reference];
  if (referred !== undefined) return exampleOf(referred, named, reference);
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0], named, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (format !== undefined) return formats[format];
  if (isOfType(samples[name], schema)) return samples[name];
  if (items !== undefined) return [exampleOf(items, named)];
  if (properties !== undefined) {
    const shown = Object.entries(properties).filter(([each]) => required.includes(each) || each in samples);
    return Object.fromEntries(shown.map(([each, part]) => [each, exampleOf(part, named, each)]));
  }
  return { object: {}, string: 'text', boolean: true }[String(type)] ?? Math.max(1, schema.minimum ?? 1);
}

/** Fields of one name may differ: `words` is a list of texts in a round, and may be one of objects elsewhere. */
function isOfType(sample: unknown, { type, items }: Schema): boolean {
  if (Array.isArray(sample)) return isOfType(sample[0], items ?? {});
  return type === (typeof sample === 'number' ? 'integer' : typeof sample);
}

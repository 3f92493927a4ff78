import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

export type Json = Readonly<Record<string, unknown>>;

/** Operations by path and method. */
export function toPaths<T extends { readonly path: string; readonly method: string }>(
  operations: readonly T[],
  toOperation: (operation: T) => Json,
): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: toOperation(operation) };
  }
  return paths;
}

/** The optional query parameters of a schema, by a name that starts with the given word. */
export function toQueryParameters(word: string, schema: GenericSchema): Record<string, Json> {
  const { properties } = toJsonSchema(schema, { errorMode: 'ignore' });
  return Object.fromEntries(
    Object.entries(properties as Record<string, Json>).map(([name, { description, ...ownSchema }]) => [
      `${word}${name}`,
      { name, in: 'query', required: false, description, schema: ownSchema },
    ]),
  );
}

/** Headers of an answer, as references to those that the document describes once. */
export function toHeaderReferences(names: readonly string[]): Json {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${toHeaderKey(name)}` }]),
  );
}

/** The name of a header in the document. */
export function toHeaderKey(name: string): string {
  return name === 'API-Version' ? 'ApiVersion' : name.replaceAll('-', '');
}

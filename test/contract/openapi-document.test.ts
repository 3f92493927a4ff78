import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { type ErrorCode, errorMeanings } from '../../src/contract/error-codes.ts';
import { createOpenApiDocument } from '../../src/contract/openapi/openapi.ts';

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
interface Operation {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly $ref?: string }>>;
}
interface Contract {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly description: string }>> };
}

const text = JSON.stringify(createOpenApiDocument('1.0.0'));
const contract: Contract = JSON.parse(text);
const validators = new Ajv2020({ strict: false, formats: { 'date-time': true, uuid: true } });
validators.addSchema({ $id: 'contract', components: contract.components });

// In a file without a server: the linter keeps this process busy for longer than servers wait on an idle connection.
test('the contract is a valid OpenAPI 3.1 document, even by the recommended rules of a linter', async () => {
  expect(contract.openapi).toMatch(/^3\.1\./);
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test('whatever the contract says of an entry, an answer or an operation is a sentence', () => {
  const described: string[] = [];
  const wrong: string[] = [];
  JSON.parse(text, (key, value) => {
    if (typeof value !== 'string' || !/^(?:description|summary)$/.test(key)) return value;
    described.push(value);
    const isSentence = key === 'summary' ? /^\p{Lu}.{9,}[^.]$/u : /^[\p{Lu}\d`"(].*\w.*\.$/su;
    if (!isSentence.test(value)) wrong.push(value);
    return value;
  });
  expect(wrong).toEqual([]);
  expect(described.length).toBeGreaterThan(400);
});

test('no name or value of the contract is empty, and every parameter and header has a type', () => {
  const untyped: unknown[] = [];
  JSON.parse(text, (key, value) => {
    expect(value, key).not.toBe('');
    const isTyped =
      value?.schema === undefined || /^\{"(?:type|enum|\$ref)"/.test(JSON.stringify(value.schema));
    if (!isTyped) untyped.push(value);
    return value;
  });
  expect(untyped).toEqual([]);
});

/** Every operation, with its name. */
function allOperations(): (readonly [name: string, operation: Operation])[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
}

function validatorOf(schema: object) {
  return validators.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')));
}

test('a status is described by the errors that have it, and by no other', () => {
  const { responses } = contract.components;
  const wrong = allOperations().flatMap(([name, operation]) =>
    Object.entries(operation.responses).flatMap(([status, { $ref = '' }]) => {
      const { description = '' } = responses[$ref.split('/').at(-1) as string] ?? {};
      const codes = [...description.matchAll(/`([A-Z_]{5,})`: /g)].map(([, code]) => code as ErrorCode);
      return codes
        .filter((code) => String(errorMeanings[code][0]) !== status)
        .map((code) => [name, status, code]);
    }),
  );
  expect(wrong).toEqual([]);
});

describe('a client made from the contract', () => {
  it('finds an example of each body of each operation, which its schema accepts', () => {
    for (const [name, { requestBody, responses }] of allOperations()) {
      const [answer] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      for (const body of [requestBody, answer?.[1]]) {
        for (const { schema, example } of Object.values(body?.content ?? {})) {
          const isRight = validatorOf(schema);
          expect(isRight(example), `${name}: ${JSON.stringify(isRight.errors)}`).toBe(true);
        }
      }
    }
  });

  it('sees in examples what is usual, and not only what is required', () => {
    const { requestBody } = Object.fromEntries(allOperations())['post /announcements'] as Operation;
    const example = requestBody?.content['application/json']?.example as Readonly<Record<string, string>>;
    expect(URL.canParse(example.link ?? '')).toBe(true);
    expect(example.expires).toMatch(/^\+\d/);
  });

  it('need not send what has a default: no schema has the keyword, which generators take for required', () => {
    expect(text).not.toContain('"default":');
    expect(text).toContain('Default: `{\\"type\\":\\"words\\",\\"count\\":30}`.');
    const accepts = (name: string, body: object) =>
      validatorOf({ $ref: `#/components/schemas/${name}` })(body);
    expect(accepts('CreateSessionRequest', {})).toBe(true);
    expect(accepts('CreateSessionRequest', { mode: { type: 'guided' }, rules: {} })).toBe(true);
    expect(accepts('KeystrokeRequest', { char: 'a' })).toBe(true);
    expect(accepts('PublishRequest', { message: 'x' })).toBe(true);
    // In an answer it is always there.
    expect(accepts('Mode', { type: 'words' })).toBe(false);
    expect(accepts('Mode', { type: 'words', count: 30 })).toBe(true);
  });
});

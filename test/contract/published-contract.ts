import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { createOpenApiDocument } from '../../src/contract/openapi/openapi.ts';
import type { Answer } from '../support/http-client.ts';

type Content = Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, Response>>;
  readonly parameters: readonly { readonly name?: string }[];
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export type PublishedContract = ReturnType<typeof readContract>;

/** The OpenAPI document, and what answers are checked by. That it is the published one: newcomer/package.test.ts. */
export function readContract() {
  const text = JSON.stringify(createOpenApiDocument('1.0.0'));
  // Clients may be sent more one day; a server of today sends nothing that its document leaves out.
  const { servers, paths, components } = JSON.parse(text, (_, value) =>
    value?.type === 'object' && value.properties !== undefined
      ? { additionalProperties: false, ...value }
      : value,
  );
  const validators = new Ajv2020({ strict: false, formats: { 'date-time': isTimestamp, uuid: true } });
  validators.addSchema({ $id: 'contract', components });

  function pathsOf(tag: 'typing' | 'badge' | 'editors'): Paths {
    const all = Object.entries(paths as Paths);
    return Object.fromEntries(
      all.filter(([, item]) => Object.values(item).some(({ tags }) => tags?.includes(tag) === true)),
    );
  }

  /** Expects that the document lists these parameters, as in `?limit=1`. */
  function checkQuery(method: string, path: string, query: string): void {
    const names = (paths as Paths)[path]?.[method]?.parameters.map(({ name }) => name);
    for (const asked of new URLSearchParams(query).keys())
      expect(names, `${method} ${path}`).toContain(asked);
  }

  /** Expects that an answer has the promised status, headers and body, and no other fields; returns the body. */
  function check(
    method: string,
    path: string,
    answer: Answer,
    mayMiss: (header: string) => boolean = () => false,
  ): unknown {
    const name = `${method} ${path} ${answer.status}`;
    const found = (paths as Paths)[path]?.[method]?.responses[answer.status];
    expect(found, `${name} is not promised: ${answer.body}`).toBeDefined();
    const response: Response =
      found?.$ref === undefined ? found : components.responses[found.$ref.split('/').at(-1) as string];
    for (const header of Object.keys(response.headers ?? {}))
      if (!mayMiss(header)) expect(answer.headers[header.toLowerCase()], `${name}: ${header}`).toBeDefined();
    const [[type, media] = []] = Object.entries(response.content ?? {});
    if (media === undefined) {
      expect(answer.body, name).toHaveLength(0);
      return undefined;
    }
    expect(answer.headers['content-type'], name).toBe(type);
    const body = JSON.parse(answer.body.toString());
    const isRight = validators.compile(
      JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', '"contract#/')),
    );
    expect(isRight(body), `${name}: ${JSON.stringify(isRight.errors)}`).toBe(true);
    if (body.code !== undefined) expect(response.description, name).toContain(`\`${body.code}\`: `);
    return body;
  }
  return { servers: servers as readonly { readonly url: string }[], pathsOf, check, checkQuery };
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Every operation of some paths, as `method path`. */
export function operationNames(paths: Paths): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'servers')
      .map((method) => `${method} ${path}`),
  );
}

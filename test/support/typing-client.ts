import type * as v from 'valibot';
import type * as answers from '../../src/contract/answer-types.ts';
import { createOpenApiDocument } from '../../src/contract/openapi/openapi.ts';
import { typingApi } from '../../src/contract/openapi/typing-operations.ts';
import type * as requests from '../../src/contract/request-types.ts';
import type { Transport } from '../../src/contract/transport.ts';
import { sendJson } from './http-client.ts';

export interface TypingAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** Talks to the typing API of a running server, on a kept-alive connection, and takes every answer as it comes. */
export function createTypingClient(port: number, prefix = '/api') {
  return createClient(async (method, path, body) => {
    const { status, json } = await sendJson(port, method, prefix + path, body);
    return { status, body: json };
  });
}

/** The same without a socket. `headers`: of all its requests. */
export function createLocalClient(send: Transport, headers: Readonly<Record<string, string>> = {}) {
  return createClient(async (method, path, body) => {
    const answer = await send({ method: method as 'GET', path: `/api${path}`, body, headers });
    return { status: answer.status, body: answer.body };
  });
}

function createClient(
  send: (method: string, path: string, body?: unknown) => Promise<TypingAnswer<unknown>>,
) {
  const call = <T>(method: string, path: string, body?: unknown) =>
    send(method, path, body) as Promise<TypingAnswer<T>>;
  /** For calls that must succeed: the body, or an error that says what came instead. */
  async function take<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call<T>(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return {
    call,
    createSession: async (punctuation_mode = false) =>
      (await take<answers.SessionCreated>('POST', '/sessions', { punctuation_mode })).session_id,
    deleteSession: (id: string) => take<undefined>('DELETE', `/sessions/${id}`),
    sessions: async () => (await take<answers.SessionList>('GET', '/sessions')).sessions,
    startRound: (id: string) => take<answers.Round>('POST', `/sessions/${id}/round`),
    keystroke: (id: string, request: v.InferOutput<typeof requests.KeystrokeRequestSchema>) =>
      take<v.InferOutput<typeof answers.KeystrokeResultSchema>>('POST', `/sessions/${id}/keystroke`, request),
    backspace: (id: string, request: v.InferOutput<typeof requests.BackspaceRequestSchema> = {}) =>
      take<v.InferOutput<typeof answers.BackspaceResultSchema>>('POST', `/sessions/${id}/backspace`, request),
    space: (id: string, request: v.InferOutput<typeof requests.SpaceRequestSchema> = {}) =>
      take<v.InferOutput<typeof answers.SpaceResultSchema>>('POST', `/sessions/${id}/space`, request),
    input: async (id: string, events: readonly requests.InputEvent[]) =>
      (await take<answers.InputResponse>('POST', `/sessions/${id}/input`, { events })).results,
    timing: (id: string, duration_ms: number, start_time_unix_ms = 1_700_000_000_000) =>
      take<answers.Success>('POST', `/sessions/${id}/timing`, {
        start_time_unix_ms,
        end_time_unix_ms: start_time_unix_ms + duration_ms,
        duration_ms,
      }),
    save: (id: string) => take<answers.Success>('POST', `/sessions/${id}/save`),
    state: (id: string) => take<answers.GameState>('GET', `/sessions/${id}/state`),
    sessionStatistics: (id: string) =>
      take<answers.SessionStatistics>('GET', `/sessions/${id}/stats/session`),
    history: (id: string) => take<answers.HistoricalStatistics>('GET', `/sessions/${id}/stats/historical`),
  };
}

export type TypingClient = ReturnType<typeof createTypingClient>;

interface PublishedOperation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: JsonExample };
  readonly responses: Readonly<Record<string, { readonly content: JsonExample }>>;
}
type JsonExample = { readonly 'application/json': { readonly example: unknown } };
const { paths } = createOpenApiDocument('test') as {
  paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>;
};

/** The example of the right answer of an operation in the contract. */
export const exampleAnswer = (id: string) =>
  Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === id)?.responses[200]?.content['application/json'].example;

/** A right request to each route below `/sessions/{session_id}`, with what the contract says of it. */
export const sessionOperations = Object.values(typingApi.operations)
  .map(({ route, errors = [] }) => ({
    method: route.replace(/ .*/, ''),
    route: route.replace(/^\w+ /, ''),
    errors,
  }))
  .filter(({ route }) => route.includes('{session_id}'))
  .map(({ method, route, errors }) => ({
    ...{ method, route, errors },
    pathOf: (id: string) => route.replace('{session_id}', id),
    body: paths[route]?.[method.toLowerCase()]?.requestBody?.content['application/json'].example,
  }));

/** The events of a typist who types these words without a mistake, numbered from 1. */
export function flawless(words: readonly string[], seek_time_ms = 120): requests.InputEvent[] {
  const signs = [...words.map((word) => `${word} `).join('')];
  return signs.map((char, at) =>
    char === ' '
      ? { type: 'space', seek_time_ms, seq: at + 1 }
      : { type: 'keystroke', char, seek_time_ms, seq: at + 1 },
  );
}

/** Types a whole round without a mistake and submits its timing. */
export async function playRound(client: TypingClient, id: string, duration_ms = 60_000): Promise<void> {
  const { words } = await client.startRound(id);
  await client.input(id, flawless(words));
  await client.timing(id, duration_ms);
}

import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { ApiRequest, Transport } from '../contract/transport.ts';
import { createBodyBudget } from './http/requests/body-budget.ts';
import { createPipeline } from './http/routing/pipeline.ts';
import { createRouter } from './http/routing/router.ts';
import type { Log } from './settings/log.ts';
import { createFileRounds } from './stores/files/rounds/file-rounds.ts';
import { createMemorySessions } from './stores/memory/memory-sessions.ts';
import { createTypingService } from './typing/typing-service.ts';

export interface LocalTyping {
  readonly call: Transport;
  close(): Promise<void>;
}

export interface LocalTypingOptions {
  /** The data folder, which a server of this machine may use at the same time. */
  readonly dataDir: string;
  /** The player key; undefined: the local player. */
  readonly key: string | undefined;
}

/** The session API in this process, without a socket: finished rounds are in the data folder, open sessions in memory. */
export function openLocalTyping({ dataDir, key }: LocalTypingOptions): LocalTyping {
  const clock = Date.now;
  const rounds = createFileRounds({ dataDir, log: silent });
  const sessions = createMemorySessions({ limit: maxSessions, ttl: sessionTtl });
  const { routes } = createTypingService({
    stores: { sessions, rounds, addressKey: '' },
    isExposed: false,
    seed: undefined,
    log: silent,
    clock,
  });
  const answer = createPipeline({
    router: createRouter([{ routes, prefix: '/api/' }]),
    isServedHost: () => true,
    clientOf: () => '127.0.0.1',
    bodyBudget: createBodyBudget(),
    isPagePath: () => false,
    onFault: (fault) => {
      throw fault;
    },
  });
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    async call(request, signal) {
      signal?.throwIfAborted();
      const reply = await answer(newRequest(request, headers) as Parameters<typeof answer>[0]);
      const text = reply.body?.toString() ?? '';
      return { status: reply.status, body: text === '' ? undefined : JSON.parse(text), headers: {} };
    },
    close: () => rounds.settle(),
  };
}

/** One for each practice of this run is enough. */
const maxSessions = 100;
const sessionTtl = Number.POSITIVE_INFINITY;

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** A request as node:http makes it. */
function newRequest(
  { method, path, body, headers: given }: ApiRequest,
  own: Record<string, string>,
): Readable {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers: Record<string, string> = {
    host: 'localhost',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...own,
    ...given,
  };
  const request = Readable.from(text === '' ? [] : [Buffer.from(text)]);
  return Object.assign(request, {
    method,
    url: path,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket: new EventEmitter(),
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  });
}

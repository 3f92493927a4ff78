import { Client } from 'undici';
import * as v from 'valibot';
import { ErrorBodySchema } from '../../../contract/answer-types.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import { ServerProblem, toShownText } from './server-problem.ts';

export interface JsonExchangeOptions {
  /** Ms to wait for a connection, and for each part of an answer. */
  readonly timeout: number;
  /** Ms from the request to the last byte of its answer. */
  readonly deadline: number;
  /** The typist's player key; undefined for none. */
  readonly key: string | undefined;
}

type Method = 'GET' | 'POST' | 'DELETE';

/** Requests of one server over one kept-alive connection, one at a time. */
export interface JsonExchange {
  /** What the server answered, undefined for nothing; rejects with a `ServerProblem` and nothing else. */
  request(method: Method, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** No answer of this API comes near; a wrong server must not fill the memory. */
const largestAnswer = 4 * 1024 * 1024;

/** @param base the address that paths are appended to */
export function createJsonExchange(base: URL, { timeout, deadline, key }: JsonExchangeOptions): JsonExchange {
  const headers = {
    accept: 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const connection = new Client(base.origin, {
    connect: { timeout },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: largestAnswer,
  });
  const prefix = base.pathname.replace(/\/+$/, '');
  return {
    async request(method, path, body) {
      const { status, text } = await exchange(method, prefix + path, body);
      const isEmpty = text === '' && method === 'DELETE'; // anything else is answered by a text
      if (status >= 200 && status < 300) return isEmpty ? undefined : toJson(text);
      throw toProblem(status, text);
    },
    close: () => connection.destroy(),
  };

  async function exchange(method: Method, path: string, body: unknown) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('its answer took too long')), deadline);
    try {
      const response = await connection.request({
        method,
        path,
        signal: late.signal, // the time-outs of the connection bound gaps: one drop a second would go on forever
        ...(body === undefined
          ? { headers }
          : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      throw new ServerProblem('away', `no answer from ${base.origin} (${toReason(error)})`);
    } finally {
      clearTimeout(timer);
    }
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServerProblem('foreign', 'the server answered something that is not JSON');
  }
}

/** 408, 425, 429 and everything from 500 pass by themselves; the other errors stay as they are. */
function toProblem(status: number, text: string): ServerProblem {
  const { message, code, isOfApi } = readErrorBody(text);
  if (status === 401) return new ServerProblem(isOfApi ? 'refused' : 'foreign', keyRefused, code);
  if (code === 'SESSION_LIMIT_REACHED') {
    return new ServerProblem('away', status === 429 ? ownSessionsOpen : serverFull, code);
  }
  const passes = status >= 500 || status === 408 || status === 425 || status === 429;
  const kind = passes ? 'away' : isOfApi ? 'refused' : 'foreign';
  return new ServerProblem(kind, message || `the server answered ${status}`, code);
}

/** Mostly from a proxy that asks for a password, since a typebadge server takes every key of the right shape. */
const keyRefused =
  'it asks for a login that play cannot give (401): it accepts no player key, or a password protects it';

/** Nobody who plays sees sessions, or could delete one. */
const ownSessionsOpen = 'too many of your rounds are open there; leave play in another window';
const serverFull = 'too many people practise there';

interface ErrorAnswer {
  readonly message: string;
  readonly code?: ErrorCode;
  /** Whether it has a code at all: one that we do not know is of a later version. */
  readonly isOfApi: boolean;
}

/** Proxies answer with bodies of their own: sentence and code are taken each for itself. */
function readErrorBody(text: string): ErrorAnswer {
  const body = toJsonObject(text);
  const { error, code } = ErrorBodySchema.entries;
  return {
    message: v.is(error, body.error) ? toShownText(body.error).replace(/\.$/, '') : '', // a part of our sentences
    ...(v.is(code, body.code) ? { code: body.code } : {}),
    isOfApi: typeof body.code === 'string',
  };
}

function toJsonObject(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function toReason(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  const message = error instanceof Error ? error.message : String(error);
  return toShownText(typeof code === 'string' ? code : message);
}

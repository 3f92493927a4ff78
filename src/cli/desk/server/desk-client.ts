import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expiredTokenSentence } from '../../../contract/editor-token.ts';
import { toOptionWords } from '../../display/option-words.ts';
import { RefusedError } from '../../program/command-errors.ts';
import {
  causeOf,
  describeCertificate,
  describeFailure,
  describeRedirect,
  patience,
} from './connection-failure.ts';

export interface DeskAnswer<T> {
  readonly value: T;
  /** Of the announcements, as `If-Match` takes it; undefined where the answer has none. */
  readonly etag: string | undefined;
  /** The server's clock, epoch milliseconds; undefined where it does not say. */
  readonly date: number | undefined;
  /** Of its body, in bytes. */
  readonly size: number;
}

export interface DeskQuestion {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api`. */
  readonly path: string;
  readonly body?: object;
  readonly ifMatch?: string | undefined;
}

/** The server refused, in a sentence of its own. */
export class ServerRefusal extends RefusedError {
  constructor(
    readonly code: string,
    message: string,
    /** Seconds after which the same request may succeed, if the server says so. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = 'ServerRefusal';
  }
}

export interface DeskClient {
  /** Resolves to what the server answers; rejects with a RefusedError, which never holds the token. */
  ask<T>(question: DeskQuestion): Promise<DeskAnswer<T>>;
}

/** In bytes: several times what the longest page of a list takes. */
const longestAnswer = 8 * 1024 * 1024;
/** Pauses before further attempts of what is harmless to repeat, in milliseconds. */
const pauses = [300, 1_000];
/**
 * A long list has more pages than a server gives at once. It gives the next ones a second later, and a request that was refused for
 * being one too many has changed nothing. Seconds, and how often.
 */
const [longestWait, mostWaits] = [2, 5];

/** A token, and where it came from: what helps when it is refused depends on that. */
export interface FoundToken {
  readonly token: string;
  readonly from: 'variable' | 'login';
}

/** @param server scheme and host */
export function createDeskClient(server: string, { token, from }: FoundToken): DeskClient {
  const send = async ({ method = 'GET', path, body, ifMatch }: DeskQuestion, key: string) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(method === 'POST' ? { 'Idempotency-Key': key } : {}),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    };
    const answer = await fetch(`${server}/api${path}`, {
      method,
      headers,
      // The token is for this server alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { answer, text: await readBounded(answer) };
  };

  const askOnce = async <T>(question: DeskQuestion, key: string): Promise<DeskAnswer<T>> => {
    const isRepeatable =
      question.method === undefined || question.method === 'GET' || question.method === 'POST';
    for (const pause of isRepeatable ? [...pauses, undefined] : [undefined]) {
      try {
        const { answer, text } = await send(question, key);
        return toAnswer<T>(server, from, answer, text);
      } catch (error) {
        if (error instanceof RefusedError) throw error;
        const untrusted = describeCertificate(server, causeOf(error).code);
        if (untrusted !== undefined) throw new RefusedError(untrusted);
        if (pause === undefined) throw new RefusedError(describeFailure(server, error, question.method));
        await sleep(pause);
      }
    }
    throw new Error('unreachable');
  };

  return {
    async ask<T>(question: DeskQuestion) {
      const key = randomUUID();
      for (let waits = 0; ; waits += 1) {
        try {
          return await askOnce<T>(question, key);
        } catch (error) {
          const seconds = error instanceof ServerRefusal ? error.retryAfter : undefined;
          if (seconds === undefined || seconds > longestWait || waits === mostWaits) throw error;
          await sleep(seconds * 1_000);
        }
      }
    },
  };
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > longestAnswer) throw new RefusedError('the answer from the server is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toAnswer<T>(
  server: string,
  from: FoundToken['from'],
  answer: Response,
  text: string,
): DeskAnswer<T> {
  const value = parseObject(text);
  if (answer.ok && value !== undefined) {
    const date = Date.parse(answer.headers.get('date') ?? '');
    return {
      value: value as T,
      etag: answer.headers.get('etag') ?? undefined,
      date: Number.isNaN(date) ? undefined : date,
      size: Buffer.byteLength(text),
    };
  }
  const { code, error } = value ?? {};
  if (typeof code !== 'string' || typeof error !== 'string') {
    if (answer.status >= 502 && answer.status <= 504)
      throw new RefusedError(
        `the proxy at ${server} answers, but the typebadge server behind it does not (${answer.status}); try again later`,
      );
    const redirect = describeRedirect(server, answer);
    if (redirect !== undefined) throw new RefusedError(redirect);
    throw new RefusedError(
      `${server} does not answer as a typebadge server does (status ${answer.status}); check the address`,
    );
  }
  if (code === 'UNAUTHENTICATED') {
    const reason = error === expiredTokenSentence ? 'it has expired' : 'it is wrong or was removed';
    throw new ServerRefusal(code, describeRefusedToken(server, from, reason));
  }
  throw toRefusal(server, code, error, answer.headers.get('retry-after'));
}

/** The variable may be set and forgotten: logging in again would change nothing. */
function describeRefusedToken(server: string, from: FoundToken['from'], reason: string): string {
  return from === 'variable'
    ? `${server} does not accept the token in TYPEBADGE_TOKEN: ${reason}. Correct the variable, or unset it to use the token of typebadge login`
    : `${server} does not accept your token: ${reason}. With a new one: typebadge login ${server}`;
}

function toRefusal(server: string, code: string, error: string, retryAfter: string | null): RefusedError {
  switch (code) {
    case 'NOT_FOUND':
      return new ServerRefusal(code, `${server} has no API for remote editors; its version may be too old`);
    case 'RATE_LIMITED':
      return new ServerRefusal(
        code,
        `${server} had too many requests from this address; try again in ${Number(retryAfter) || 1} s`,
        Number(retryAfter) || 1,
      );
    case 'TLS_REQUIRED': {
      const hint = server.startsWith('http:') ? ' Log in at the https address of that proxy' : '';
      return new ServerRefusal(code, `${error}${hint}`);
    }
    default:
      return new ServerRefusal(code, toOptionWords(error));
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

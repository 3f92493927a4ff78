import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer that is not owed, whatever was broken at the time. */
export class WrongAnswer extends Error {}

/** Sends a request to one server after another until one answers it. */
export type Insist = <T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Taken<T>>;

export interface Taken<T> {
  readonly status: number;
  readonly body: T;
}

interface Options {
  readonly nextPort: () => number;
  readonly key: string;
}

/** A request that got no answer for so long is sent to another server, in milliseconds. */
const patience = 3_000;
const agent = new Agent({ keepAlive: true, maxSockets: 400, maxFreeSockets: 400 });

/** A client that knows the contract: no answer, and 503 with `Retry-After`, both mean to try again. */
export function createStubbornClient({ nextPort, key }: Options): Insist {
  return async (method, path, body, headers = {}) => {
    for (;;) {
      const own = { ...headers, Authorization: `Bearer ${key}` };
      const answer = await ask(nextPort(), method, path, own, body).catch(() => undefined);
      if (answer?.status === 503) expectAway(answer);
      if (answer !== undefined && answer.status !== 503) {
        if (answer.status >= 500 || answer.status === 429)
          throw new WrongAnswer(`${method} ${path}: ${answer.status} ${answer.text}`);
        return { status: answer.status, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
      }
      await sleep(50 + Math.random() * 100);
    }
  };
}

function expectAway({ text, retryAfter }: { text: string; retryAfter: string | undefined }): void {
  if (!text.includes('"STORE_UNAVAILABLE"') || retryAfter !== '1')
    throw new WrongAnswer(`503 with Retry-After ${retryAfter}: ${text}`);
}

function ask(port: number, method: string, path: string, own: Record<string, string>, body: unknown) {
  return new Promise<{ status: number; text: string; retryAfter: string | undefined }>((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      ...own,
      ...(text === ''
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    };
    const outgoing = request(
      { host: '127.0.0.1', port, method, path: `/api${path}`, headers, agent, timeout: patience },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            retryAfter: response.headers['retry-after'],
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.end(text);
  });
}

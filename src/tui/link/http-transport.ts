import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { ApiResponse, Transport } from '../../contract/transport.ts';
import { ServerProblem, shownText } from './answers.ts';

export interface HttpTransport {
  readonly call: Transport;
  /** Ends its connection, and with it every request. */
  close(): void;
}

export interface HttpTransportOptions {
  /** The typist's player key, for a server that strangers can reach. */
  readonly key?: string | undefined;
  /** Ms that a server may be silent. Default: 5000. */
  readonly timeout?: number;
  /** Ms from the request to the last byte of its answer, long enough for large ones on slow lines. Default: 20,000. */
  readonly deadline?: number;
}

/** No answer of this API comes near; a wrong server must not fill the memory. */
const maxAnswer = 4 * 1024 * 1024;

/** The API of the server at `base`, over one kept-alive connection. Rejects with a `ServerProblem`. */
export function createHttpTransport(base: URL, options: HttpTransportOptions = {}): HttpTransport {
  const { key } = options;
  const exchange = createExchange(base, options);
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    async call({ method, path, body, headers: given }, signal) {
      const answer = await exchange
        .send({ method, path, headers: { ...headers, ...given }, body }, signal)
        .catch((error: unknown) => {
          throw new ServerProblem('away', `no answer from ${base.origin} (${reasonOf(error)})`);
        });
      return { ...answer, body: parseBody(answer) };
    },
    close: exchange.close,
  };
}

function parseBody({ status, text }: TextAnswer): unknown {
  if (text === '' && status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (status >= 200 && status < 300)
      throw new ServerProblem('foreign', 'the server answered something that is not JSON');
    return undefined;
  }
}

interface TextAnswer extends Omit<ApiResponse, 'body'> {
  readonly text: string;
}

interface TextRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Exchange {
  send(request: TextRequest, signal?: AbortSignal): Promise<TextAnswer>;
  close(): void;
}

function createExchange(base: URL, { timeout = 5000, deadline = 20_000 }: HttpTransportOptions): Exchange {
  const prefix = base.pathname.replace(/\/+$/, '');
  const isSecure = base.protocol === 'https:';
  let agent: Agent | undefined;
  return {
    async send({ method, path, headers, body }, signal) {
      // TLS takes a moment to load.
      const { request, Agent: AgentOf } = isSecure
        ? await import('node:https')
        : { request: httpRequest, Agent };
      agent ??= new AgentOf({ keepAlive: true, maxSockets: 1 });
      const text = body === undefined ? undefined : JSON.stringify(body);
      const options: RequestOptions = {
        method,
        agent,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port,
        path: prefix + path,
        timeout,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(text !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          }),
        },
      };
      let isStale = false;
      const sendOnce = () =>
        new Promise<TextAnswer>((resolve, reject) => {
          let isAnswered = false;
          const sent = request(options, (response) => {
            isAnswered = true; // from now on, its stream tells how it ends
            readAnswer(response).then(resolve, reject);
          });
          const stop = () => sent.destroy(new Error('nobody waits for it any more'));
          const timer = setTimeout(() => sent.destroy(new Error('its answer took too long')), deadline);
          signal?.addEventListener('abort', stop, { once: true });
          sent.on('timeout', () => sent.destroy(lateError()));
          sent.on('error', (error: NodeJS.ErrnoException) => {
            isStale = sent.reusedSocket && error.code === 'ECONNRESET' && !isAnswered;
            reject(error);
          });
          sent.on('close', () => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', stop);
            if (!isAnswered) reject(new Error('the connection was closed'));
          });
          sent.end(text);
        });
      try {
        return await sendOnce();
      } catch (error) {
        // The server closed the connection while nothing was asked. Every request of this API may be sent again.
        if (!isStale) throw error;
        return sendOnce();
      }
    },
    close: () => agent?.destroy(),
  };
}

async function readAnswer(response: IncomingMessage): Promise<TextAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxAnswer) throw new Error('its answer is too long');
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  return { status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() };
}

function lateError(): Error {
  return Object.assign(new Error('it did not answer in time'), { code: 'ETIMEDOUT' });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  return shownText(typeof code === 'string' ? code : (message ?? String(error)));
}

/** What is found at an address. `other`: something answers, but it is not a typebadge server. */
export type ProbeResult =
  | { readonly kind: 'typebadge' }
  /** `code`: of the system or of TLS, such as `ECONNREFUSED`; undefined if there is none. */
  | { readonly kind: 'nobody'; readonly reason: string; readonly code: string | undefined }
  | { readonly kind: 'other'; readonly reason: string };

/** Asks `/api/health` at `base`; waits at most `timeout` ms for the whole answer, and no longer than `signal` allows. */
export async function probeServer(base: URL, timeout: number, signal?: AbortSignal): Promise<ProbeResult> {
  const exchange = createExchange(base, { timeout, deadline: timeout });
  try {
    const answer = await exchange.send({ method: 'GET', path: '/api/health' }, signal);
    return findingOf(answer, base);
  } catch (error) {
    return failureOf(error);
  } finally {
    exchange.close();
  }
}

function findingOf({ status, headers, text }: TextAnswer, base: URL): ProbeResult {
  const target = redirectTarget(status, headers.location, base);
  if (target !== undefined) return { kind: 'other', reason: `it redirects to ${target}` };
  if (headers['api-version'] !== 'v1')
    return { kind: 'other', reason: 'it does not speak version v1 of the typing API' };
  return status === 200 && isHealthy(text)
    ? { kind: 'typebadge' }
    : { kind: 'other', reason: `it answered ${status} and does not say that it is healthy` };
}

/** The server that a redirect leads to, without the path that was asked for; undefined for any other answer. */
function redirectTarget(status: number, location: string | undefined, base: URL): string | undefined {
  const asked = `${base.href.replace(/\/+$/, '')}/api/health`;
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, asked))
    return undefined;
  const { protocol, origin, pathname } = new URL(location, asked);
  if (!/^https?:$/.test(protocol) || origin === base.origin) return undefined;
  return origin + (/^(.*)\/api\/health$/.exec(pathname)?.[1] ?? '');
}

function isHealthy(text: string): boolean {
  try {
    return (JSON.parse(text) as { status?: unknown } | null)?.status === 'healthy';
  } catch {
    return false;
  }
}

/** A refused connection means that nobody is there; a connection that talks nonsense or stays silent is somebody else. */
function failureOf(error: unknown): ProbeResult {
  const { code } = error as { readonly code?: unknown };
  // How node:https calls an answer that is not TLS depends on its version.
  const given = typeof code === 'string' ? code : undefined;
  const known = given === 'EPROTO' ? 'ERR_SSL_WRONG_VERSION_NUMBER' : given;
  if (known === 'ETIMEDOUT' || (known === undefined && /took too long/.test(String(error))))
    return { kind: 'other', reason: 'it did not answer in time' };
  if (/too long/.test(String(error))) return { kind: 'other', reason: 'its answer has no end' };
  if (known?.startsWith('HPE_')) return { kind: 'other', reason: 'it does not speak HTTP' };
  if (known === 'ECONNRESET') return { kind: 'other', reason: 'it closed the connection without an answer' };
  return { kind: 'nobody', reason: reasonOf(error), code: known };
}

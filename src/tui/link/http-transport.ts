import type { Transport } from '../../contract/transport.ts';
import {
  type HttpAnswer,
  type HttpConnection,
  HttpFailure,
  openConnection,
} from '../../kit/http-connection.ts';
import { messageOf, ServerProblem, shownText } from './answers.ts';

interface HttpTransportOptions {
  /** The typist's player key, for a server that others can reach. */
  readonly key?: string | undefined;
  /** How long a server may be silent, ms. Default: 5000. */
  readonly timeout?: number;
  /** Longest time from the request to the end of its answer, ms: enough for slow lines. Default: 20,000. */
  readonly deadline?: number;
}

/** In bytes; far more than any answer of this API. A wrong server must not fill the memory. */
const maxAnswer = 4 * 1024 * 1024;

/** The API of the server at `base`. Rejects with a `ServerProblem`. */
export function createHttpTransport(base: URL, options: HttpTransportOptions = {}) {
  const { key: token, timeout: idleTimeout = 5000, deadline = 20_000 } = options;
  const connection = openConnection(base, { token, idleTimeout, deadline, maxAnswer });
  const call: Transport = async (request, signal) => {
    const send = () => connection.send(request, signal);
    // A server may close an idle connection just then. Every request of this API may be sent again.
    const answer = await send()
      .catch((error: unknown) => (codeOf(error) === 'ECONNRESET' ? send() : Promise.reject(error)))
      .catch((error: unknown) => {
        throw new ServerProblem('away', `no answer from ${base.origin} (${reasonOf(error)})`);
      });
    return { ...answer, body: parseBody(answer) };
  };
  /** Ends its connection, and with it every request. */
  return { call, close: connection.close };
}

export type HttpTransport = ReturnType<typeof createHttpTransport>;

function parseBody({ status, text }: HttpAnswer): unknown {
  if (text === '' && status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (status >= 200 && status < 300)
      throw new ServerProblem('refused', 'the server answered something that is not JSON');
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof HttpFailure ? error.code : undefined;
}

function reasonOf(error: unknown): string {
  return shownText(codeOf(error) ?? messageOf(error));
}

/** What is found at an address. `other`: something answers, but it is not a typebadge server. */
export type ProbeResult =
  | { readonly kind: 'typebadge' }
  /** `code`: of the system or of TLS, such as `ECONNREFUSED`; undefined if there is none. */
  | { readonly kind: 'nobody'; readonly reason: string; readonly code: string | undefined }
  | { readonly kind: 'other'; readonly reason: string };

/** Asks `/api/health` at `base`; waits at most `timeout` ms for the answer, or until `signal` aborts. */
export async function probeServer(base: URL, timeout: number, signal?: AbortSignal): Promise<ProbeResult> {
  const limits = { idleTimeout: timeout, deadline: timeout, maxAnswer };
  const connection: HttpConnection = openConnection(base, { token: undefined, ...limits });
  try {
    return findingOf(await connection.send({ method: 'GET', path: '/api/health' }, signal), base);
  } catch (error) {
    return failureOf(error);
  } finally {
    connection.close();
  }
}

function findingOf({ status, headers, text }: HttpAnswer, base: URL): ProbeResult {
  const target = redirectTarget(status, headers.location, base);
  if (target !== undefined) return { kind: 'other', reason: `it redirects to ${target}` };
  if (headers['api-version'] !== 'v1')
    return { kind: 'other', reason: 'it does not speak version v1 of the typing API' };
  return status === 200 && isHealthy(text)
    ? { kind: 'typebadge' }
    : { kind: 'other', reason: `it answered ${status} and does not say that it is healthy` };
}

/** The server that a redirect leads to, without the path asked for; undefined for any other answer. */
function redirectTarget(status: number, location: string | undefined, base: URL): string | undefined {
  const requestUrl = `${base.href.replace(/\/+$/, '')}/api/health`;
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, requestUrl))
    return undefined;
  const { protocol, origin, pathname } = new URL(location, requestUrl);
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

const otherProgramReasons: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'it did not answer in time',
  EBADMSG: 'it does not speak HTTP',
  EMSGSIZE: 'its answer has no end',
  ECONNRESET: 'it closed the connection without an answer',
};

/** A refused connection means that no server is there; nonsense or silence comes from another program. */
function failureOf(error: unknown): ProbeResult {
  const code = codeOf(error);
  const reason = otherProgramReasons[code ?? ''];
  return reason === undefined ? { kind: 'nobody', reason: reasonOf(error), code } : { kind: 'other', reason };
}

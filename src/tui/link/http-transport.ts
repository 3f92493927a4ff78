import type { Transport } from '../../contract/transport.ts';
import { type HttpAnswer, HttpFailure, openConnection } from '../../kit/http-connection.ts';
import { messageOf, ServerProblem } from './session.ts';

interface HttpTransportOptions {
  /** The typist's player key, for a server that others can reach. */
  readonly key?: string | undefined;
  /** How long a server may be silent, ms. Default: 5000. */
  readonly timeout?: number;
  /** Max time from the request to the end of its answer, ms: enough for slow networks. Default: 20,000. */
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
    // A server may close an idle connection at that moment. Every request of this API may be sent again.
    const answer = await send()
      .catch((error: unknown) => (codeOf(error) === 'ECONNRESET' ? send() : Promise.reject(error)))
      .catch((error: unknown) => {
        throw new ServerProblem('away', `no answer from ${base.host} (${reasonOf(error)})`);
      });
    return { ...answer, body: parseBody(answer) };
  };
  /** Closes the connection, which ends every request. */
  return { call, close: connection.close };
}

export type HttpTransport = ReturnType<typeof createHttpTransport>;

function parseBody({ status, text }: HttpAnswer): unknown {
  const body = parseJson(text);
  if (body === undefined && status >= 200 && status < 300 && status !== 204)
    throw new ServerProblem('refused', 'the server answered something that is not JSON');
  return body;
}

/** Undefined if the text is not JSON. Its strings reach the screen, so control characters become blanks. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) =>
      typeof value === 'string' ? value.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ') : value,
    );
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof HttpFailure ? error.code : undefined;
}

function reasonOf(error: unknown): string {
  return codeOf(error) ?? messageOf(error);
}

/** What is found at an address. `other`: something answers, but it is not a typebadge server. */
export type ProbeResult =
  | { readonly kind: 'typebadge' }
  /** `code`: of the system or of TLS, such as `ECONNREFUSED`; undefined if there is none. */
  | { readonly kind: 'nobody'; readonly reason: string; readonly code: string | undefined }
  | { readonly kind: 'other'; readonly reason: string };

const otherProgramReasons: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'it did not answer in time',
  EBADMSG: 'it does not speak HTTP',
  EMSGSIZE: 'its answer has no end',
  ECONNRESET: 'it closed the connection without an answer',
};

/** Asks `/api/health` at `base`; waits at most `timeout` ms for the answer, or until `signal` aborts. */
export async function probeServer(base: URL, timeout: number, signal?: AbortSignal): Promise<ProbeResult> {
  const limits = { idleTimeout: timeout, deadline: timeout, maxAnswer };
  const connection = openConnection(base, { token: undefined, ...limits });
  try {
    const reason = otherServerReason(await connection.send({ method: 'GET', path: '/api/health' }, signal));
    return reason === undefined ? { kind: 'typebadge' } : { kind: 'other', reason };
  } catch (error) {
    // A refused connection means that no server is there; nonsense or silence comes from another program.
    const code = codeOf(error);
    const reason = otherProgramReasons[code ?? ''];
    return reason === undefined
      ? { kind: 'nobody', reason: reasonOf(error), code }
      : { kind: 'other', reason };
  } finally {
    connection.close();
  }
}

/** Why an answer is not that of a typebadge server; undefined if it is. */
function otherServerReason({ status, headers, text }: HttpAnswer): string | undefined {
  const { location } = headers;
  if (location !== undefined) return `it redirects to ${location.replace(/\/api\/health$/, '')}`;
  if (headers['api-version'] !== 'v1') return 'it does not speak version v1 of the typing API';
  const isHealthy = status === 200 && Object(parseJson(text)).status === 'healthy';
  return isHealthy ? undefined : `it answered ${status} and does not say that it is healthy`;
}

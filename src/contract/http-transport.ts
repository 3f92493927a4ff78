import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'undici';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

export interface HttpOptions {
  /** Sent as bearer token, to this server alone; undefined: none. */
  readonly token: string | undefined;
  /** How long the server may be silent, ms. */
  readonly timeout: number;
  /** Maximum time from a request to the last byte of its answer, ms; default: the timeout. */
  readonly deadline?: number;
  /** The pause before each further attempt after a broken connection, ms. */
  readonly pauses: readonly number[];
}

/** Why there is no answer of an API; its message is a part of a sentence. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  constructor(
    message: string,
    /** `refused`: waiting does not help, because another program answers, or one that cannot be trusted. */
    readonly kind: 'away' | 'refused',
    /** Of the system or TLS. */
    readonly code: string,
    /** Whether what was requested may have happened. */
    readonly mayHaveArrived: boolean,
  ) {
    super(message);
  }
}

/** In bytes: several times the longest page of a list. A wrong server must not fill the memory. */
const maxAnswer = 8 * 1024 * 1024;

/** Nothing was sent, because there was no connection. */
const unconnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * An API of a server, over one kept-alive connection. It follows no redirect. A GET, or a POST with its
 * Idempotency-Key, is harmless to repeat, and is sent again if its connection breaks. Rejects with an
 * `HttpFailure`, which never holds the token, or with the reason of the signal.
 *
 * @param server scheme, host, and the path below which the API is
 */
export function createHttpTransport(server: URL, { token, timeout, deadline, pauses }: HttpOptions) {
  const prefix = server.pathname.replace(/\/+$/, '');
  let client: Promise<Client> | undefined;

  const call: Transport = async ({ headers, ...request }, signal) => {
    const isPost = request.method === 'POST';
    const keyed = isPost ? { 'idempotency-key': randomUUID(), ...headers } : { ...headers };
    const repeats = isPost || request.method === 'GET' ? pauses : [];
    let mayHaveArrived = false;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await send({ ...request, headers: keyed }, signal);
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error;
        mayHaveArrived ||= request.method !== 'GET' && error.mayHaveArrived;
        const pause = error.kind === 'away' && error.code !== 'ETIMEDOUT' ? repeats[attempt] : undefined;
        if (pause === undefined) throw new HttpFailure(error.message, error.kind, error.code, mayHaveArrived);
        await sleep(pause);
      }
    }
  };
  /** `close` ends the connection, and with it every request. */
  return { call, close: () => void client?.then((open) => open.destroy()) };

  async function send(
    { method, path, headers, body }: ApiRequest,
    signal?: AbortSignal,
  ): Promise<ApiResponse> {
    const limit = AbortSignal.timeout(deadline ?? timeout);
    let text: string;
    let response: Awaited<ReturnType<Client['request']>>;
    try {
      client ??= openClient();
      response = await (await client).request({
        method,
        path: prefix + path,
        headers: {
          accept: 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      text = await response.body.text();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw failureOf(server, error, limit.aborted);
    }
    const { statusCode: status } = response;
    const answer = parseJson(text);
    if (answer === undefined && text !== '' && status >= 200 && status < 300)
      throw newFailure(server, 'EBADMSG', 'it sent something that is not JSON');
    const plain = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return { status, headers: Object.fromEntries(plain), body: answer };
  }

  /** Loaded at the first request: it takes longer than anything else here. */
  async function openClient(): Promise<Client> {
    const { default: undici } = await import('undici');
    const limits = { headersTimeout: timeout, bodyTimeout: timeout, maxResponseSize: maxAnswer };
    return new undici.Client(server.origin, { connect: { timeout }, ...limits });
  }
}

export type HttpTransport = ReturnType<typeof createHttpTransport>;

/** Undefined if the text is not JSON. Its strings may reach a screen, so control characters become blanks. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) =>
      typeof value === 'string' ? value.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ') : value,
    );
  } catch {
    return undefined;
  }
}

/** The system's codes for the library's codes of failures. */
const systemCodes: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_HEADERS_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_BODY_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'EMSGSIZE',
  EPROTO: 'ERR_SSL_WRONG_VERSION_NUMBER',
};

function failureOf(server: URL, error: unknown, isLate: boolean): HttpFailure {
  const { name, code = '', message = String(error) } = Object(error) as Partial<NodeJS.ErrnoException>;
  if (name === 'HTTPParserError') return newFailure(server, 'EBADMSG', 'it does not speak HTTP');
  return newFailure(server, isLate ? 'ETIMEDOUT' : (systemCodes[code] ?? code), message);
}

const unknownIssuer = /^(?:UNABLE_TO_(?:VERIFY|GET_ISSUER)|SELF_SIGNED|DEPTH_ZERO_SELF|CERT_UNTRUSTED)/;

/** Why a server must not be asked again, and what to do about it; undefined for other failures. */
function refusalOf(origin: string, code: string, reason: string): string | undefined {
  if (code === 'EBADMSG') return `${origin} is not typebadge (${reason}); check the address`;
  if (code === 'EMSGSIZE') return `the answer from ${origin} is too long`;
  if (unknownIssuer.test(code))
    return `this computer does not know who issued the certificate of ${origin} (${code}). If that is your own certificate authority, save its certificate as a file and set NODE_EXTRA_CA_CERTS to it: NODE_EXTRA_CA_CERTS=/path/to/ca.pem typebadge …; if not, do not go on, and ask the operator of the server`;
  if (/^ERR_SSL/.test(code))
    return `${origin} cannot be trusted: it does not speak TLS at that port; check the address (behind a TLS proxy, it is that of the proxy) (${code})`;
  return /CERT/.test(code)
    ? `${origin} cannot be trusted: check its address, the dates of its certificate and the clock of this computer (${code})`
    : undefined;
}

function newFailure({ origin }: URL, code: string, reason: string): HttpFailure {
  const refusal = refusalOf(origin, code, reason);
  const isAnswered = code === 'EBADMSG' || code === 'EMSGSIZE';
  if (refusal !== undefined) return new HttpFailure(refusal, 'refused', code, isAnswered);
  const message = `no answer from ${origin} (${code || reason})`;
  return new HttpFailure(message, 'away', code, !unconnected.has(code));
}

import type { Client, Dispatcher } from 'undici';

export interface HttpRequest {
  readonly method: Dispatcher.HttpMethod;
  /** The path with its query, below that of the server's URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value; undefined sends no body. */
  readonly body?: unknown;
}

export interface HttpAnswer {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One kept-alive connection to a server. It follows no redirect: the token is for this server alone. */
export interface HttpConnection {
  /** Resolves to any answer. Rejects with an `HttpFailure`, or with the reason of `signal`. */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer>;
  /** Ends it, and with it every request. */
  close(): void;
}

export interface ConnectionOptions {
  /** Sent as bearer token; undefined: none. */
  readonly token: string | undefined;
  /** How long the server may be silent, ms. */
  readonly idleTimeout: number;
  /** Maximum time from the request to the last byte of its answer, ms. */
  readonly deadline: number;
  /** Maximum size of an answer, in bytes. */
  readonly maxAnswer: number;
}

/** Why there is no answer. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  constructor(
    message: string,
    /** Of the system or TLS; `ETIMEDOUT`: silence, `EMSGSIZE`: an endless answer, `EBADMSG`: no HTTP. */
    readonly code: string | undefined,
  ) {
    super(message);
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

/** @param server scheme, host, and the path below which the API is */
export function openConnection(server: URL, options: ConnectionOptions): HttpConnection {
  const { token, idleTimeout, deadline, maxAnswer } = options;
  const prefix = server.pathname.replace(/\/+$/, '');
  let client: Promise<Client> | undefined;

  return {
    async send({ method, path, headers, body }, signal) {
      const limit = AbortSignal.timeout(deadline);
      try {
        client ??= openClient();
        const response = await (await client).request({
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
        const text = await response.body.text();
        return { status: response.statusCode, headers: plainHeaders(response.headers), text };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw failureOf(error, limit);
      }
    },
    close: () => void client?.then((open) => open.destroy()),
  };

  /** Loaded at the first request: it takes longer than anything else here. */
  async function openClient(): Promise<Client> {
    const { default: undici } = await import('undici');
    return new undici.Client(server.origin, {
      connect: { timeout: idleTimeout },
      headersTimeout: idleTimeout,
      bodyTimeout: idleTimeout,
      maxResponseSize: maxAnswer,
    });
  }
}

function failureOf(error: unknown, limit: AbortSignal): HttpFailure {
  if (limit.aborted) return new HttpFailure('its answer took too long', 'ETIMEDOUT');
  const { name, code, message = String(error) } = Object(error) as Partial<NodeJS.ErrnoException>;
  if (name === 'HTTPParserError') return new HttpFailure('it does not speak HTTP', 'EBADMSG');
  return new HttpFailure(message, code === undefined ? undefined : (systemCodes[code] ?? code));
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}

/** An answer as plain data. Handlers return it; only the listener writes it to the socket. */
export interface Reply {
  readonly status: number;
  /** Flat list: name, value, name, value. Without `Content-Length` and `Vary`, which are added later. */
  readonly headers: readonly string[];
  /** The request headers that this answer depends on, such as `Accept-Encoding`. */
  readonly vary?: string;
  readonly body?: string | Buffer;
  /**
   * Encoding of a string body; `latin1` has one byte per character. node:http writes headers and a string in
   * one go, but headers and a buffer in two, so bytes that are sent often are kept as such a string. Default:
   * UTF-8.
   */
  readonly encoding?: 'latin1';
  /** Whether this object is reused for many requests. Default: false. */
  readonly isPrepared?: true;
}

/** The body of a reply that is sent often: see `encoding`. */
export function textOfBytes(bytes: Buffer): Pick<Reply, 'body' | 'encoding'> {
  return { body: bytes.toString('latin1'), encoding: 'latin1' };
}

/** A reply with all of its headers, ready to be written. */
export interface FinishedReply {
  readonly status: number;
  /** Flat list. */
  readonly headers: readonly string[];
  /** Undefined if the status has no body. */
  readonly body: string | Buffer | undefined;
  readonly encoding?: Reply['encoding'];
  /** Whether it closes the connection. Default: false. */
  readonly isLast?: boolean;
}

const jsonHeaders: readonly string[] = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];

/** A JSON answer that must not be cached. */
export function jsonReply(status: number, value: unknown, headers?: readonly string[]): Reply {
  return serialisedReply(status, JSON.stringify(value), headers);
}

/** The same from JSON that has been serialised before. */
function serialisedReply(status: number, body: string, headers?: readonly string[]): Reply {
  return { status, headers: headers === undefined ? jsonHeaders : [...jsonHeaders, ...headers], body };
}

/** What the group of routes adds to a reply. */
interface ReplyGroup {
  readonly headers?: readonly string[];
  readonly cors?: object;
}

/**
 * Adds the headers of its group, the limiter and CORS to a reply, and its length. For a prepared reply the
 * last result is cached: most visitors get the same announcement with the same headers.
 *
 * @param allowed the origin that may read it
 */
export function finishReply(
  reply: Reply,
  group?: ReplyGroup,
  allowed?: string,
  limitHeaders: readonly string[] = none,
): FinishedReply {
  const last = reply.isPrepared === true ? lastFinished.get(reply) : undefined;
  const isSame = last?.group === group && last?.allowed === allowed && last?.limitHeaders === limitHeaders;
  if (last !== undefined && isSame) return last.reply;
  const { status, headers: base, vary, body = '', encoding } = reply;
  const headers = [...base, 'X-Content-Type-Options', 'nosniff', ...(group?.headers ?? []), ...limitHeaders];
  if (allowed !== undefined) headers.push('Access-Control-Allow-Origin', allowed);
  // Origin even without one: a shared cache must never give one site's answer to another.
  if (group?.cors !== undefined) headers.push('Vary', vary === undefined ? 'Origin' : `Origin, ${vary}`);
  else if (vary !== undefined) headers.push('Vary', vary);
  const hasBody = status !== 204 && status !== 304;
  if (hasBody) {
    const length = typeof body === 'string' ? Buffer.byteLength(body, encoding) : body.length;
    headers.push('Content-Length', String(length));
  }
  const finished = hasBody ? { status, headers, body, encoding } : { status, headers, body: undefined };
  if (reply.isPrepared === true) lastFinished.set(reply, { reply: finished, group, allowed, limitHeaders });
  return finished;
}

/** Limiters and groups reuse their lists, so lists are compared by identity. */
const none: readonly string[] = [];

const lastFinished = new WeakMap<
  Reply,
  {
    readonly reply: FinishedReply;
    readonly group: ReplyGroup | undefined;
    readonly allowed: string | undefined;
    readonly limitHeaders: readonly string[];
  }
>();

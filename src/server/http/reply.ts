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
  readonly encoding?: 'latin1' | undefined;
  /** Whether it closes the connection. Default: false. */
  readonly isLast?: boolean | undefined;
}

/** The body of a reply that is sent often: see `encoding`. */
export function textOfBytes(bytes: Buffer): Pick<Reply, 'body' | 'encoding'> {
  return { body: bytes.toString('latin1'), encoding: 'latin1' };
}

/** A reply with all of its headers, ready to be written. */
export type FinishedReply = Omit<Reply, 'vary' | 'body'> & Required<Pick<Reply, 'body'>>;

const jsonHeaders: readonly string[] = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];

/** A longer text is sent as bytes: until the client has read it, node:http would keep both. */
const maxText = 64 * 1024;

/** A JSON answer that must not be cached. */
export function jsonReply(status: number, value: unknown, headers: readonly string[] = []): Reply {
  const text = JSON.stringify(value);
  const body = text.length > maxText ? Buffer.from(text) : text;
  return { status, headers: [...jsonHeaders, ...headers], body };
}

/** The names and values in a flat list of headers. */
export function headerPairs(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] as string]] : []));
}

interface ReplyGroup {
  readonly headers?: readonly string[];
  readonly cors?: object;
}

/**
 * Adds the headers of its group, the limiter and CORS to a reply, and its length.
 *
 * @param allowed the origin that may read it
 */
export function finishReply(
  { status, headers: base, vary, body = '', encoding, isLast }: Reply,
  group?: ReplyGroup,
  allowed?: string,
  limitHeaders: readonly string[] = [],
): FinishedReply {
  const headers = [...base, 'X-Content-Type-Options', 'nosniff', ...(group?.headers ?? []), ...limitHeaders];
  if (allowed !== undefined) headers.push('Access-Control-Allow-Origin', allowed);
  // Origin even without one: a shared cache must never give one site's answer to another.
  if (group?.cors !== undefined) headers.push('Vary', vary === undefined ? 'Origin' : `Origin, ${vary}`);
  else if (vary !== undefined) headers.push('Vary', vary);
  const isBodiless = status === 204 || status === 304;
  if (!isBodiless) headers.push('Content-Length', String(Buffer.byteLength(body, encoding)));
  return { status, headers, body, encoding, isLast };
}

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
export function serialisedReply(status: number, body: string, headers?: readonly string[]): Reply {
  return { status, headers: headers === undefined ? jsonHeaders : [...jsonHeaders, ...headers], body };
}

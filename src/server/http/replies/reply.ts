/** An answer as plain data. Handlers return it; the listener alone writes it to the socket. */
export interface Reply {
  readonly status: number;
  /** Flat list: name, value, name, value. Holds neither `Content-Length` nor `Vary`: the listener writes those. */
  readonly headers: readonly string[];
  /** The request headers that this answer was chosen by, such as `Accept-Encoding`. */
  readonly vary?: string;
  readonly body?: string | Buffer;
  /**
   * Encoding of a string body; `latin1` has one byte a character. node:http writes headers and a string in one go,
   * and headers and a buffer in two, so bytes that are sent often are kept as such a string. Default: UTF-8.
   */
  readonly encoding?: 'latin1';
  /** Whether this very object is the answer to many requests. Default: false. */
  readonly isPrepared?: true;
}

/** A reply with every header it will have, about to be written. */
export interface FinishedReply {
  readonly status: number;
  /** Flat list. */
  readonly headers: readonly string[];
  /** Undefined where the status has no body. */
  readonly body: string | Buffer | undefined;
  readonly encoding?: Reply['encoding'];
  /** Whether the connection closes after this answer. Default: false. */
  readonly isLast?: boolean;
}

const jsonHeaders: readonly string[] = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];

/** A JSON answer that no cache may keep. */
export function toJsonReply(status: number, value: unknown, headers?: readonly string[]): Reply {
  return {
    status,
    headers: headers === undefined ? jsonHeaders : [...jsonHeaders, ...headers],
    body: JSON.stringify(value),
  };
}

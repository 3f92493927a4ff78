import type { IncomingMessage } from 'node:http';

/** What a handler may know of one request. Made by the listener, once, after the target was found canonical. */
export interface Context {
  readonly request: IncomingMessage;
  /** The method as sent, upper case; a HEAD request reaches the GET handler with `HEAD` here. */
  readonly method: string;
  /** The path of the target: canonical, so that it compares byte for byte. */
  readonly path: string;
  /** The query as sent, without the question mark; empty where there is none. */
  readonly query: string;
  /** Who asks, as far as limits go: an IPv4 address or the /64 of an IPv6 one. */
  readonly client: string;
  /** Names this request in the log and in the `Request-Id` header of error answers. */
  readonly requestId: string;
}

import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SiteReply {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** `undefined` is 404; `'never'` leaves the request unanswered until the site closes. */
export type Answer = (request: IncomingMessage, url: URL) => SiteReply | 'never' | undefined;

export interface Site {
  readonly origin: string;
  readonly port: number;
  /** Path and query of every request so far. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Somebody's web site: a plain HTTP server on a free port of the loopback interface. */
export async function startSite(answer: Answer): Promise<Site> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    requests.push(`${url.pathname}${url.search}`);
    const reply = answer(request, url);
    if (reply === 'never') return;
    const { status = reply === undefined ? 404 : 200, headers = {}, body = '' } = reply ?? {};
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
    response.end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

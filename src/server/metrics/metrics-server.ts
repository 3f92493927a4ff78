import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHostCheck, type HostCheck } from '../http/requests/hosts.ts';
import { isLoopback, type ListenAddress } from '../settings/config.ts';
import type { MetricsSource } from './metrics.ts';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Those who scrape are few; strangers who connect and say nothing are cut off soon. */
const limits = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
const maxConnections = 50;

/**
 * Serves `/metrics` on an address of its own, so that what operators read is never in reach of those who embed the badge.
 * Rejects with one sentence where it cannot listen there.
 */
export async function startMetricsServer(
  { host, port }: ListenAddress,
  source: MetricsSource,
): Promise<MetricsServer> {
  const isServedHost = createHostCheck({ loopback: isLoopback(host), allowed: [] });
  const read = shareReading(source);
  const server = createServer(limits, (request, response) => {
    const refusal = findRefusal(request, isServedHost);
    if (refusal !== undefined) return reply(response, refusal);
    read().then(
      (body) => reply(response, { status: 200, type: source.contentType, body }),
      () => reply(response, { status: 500, body: 'The metrics could not be read.\n' }),
    );
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new Error(`the metrics cannot be served at ${host}:${port} (${code}): choose another --metrics.`),
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface PlainReply {
  readonly status: number;
  readonly body: string;
  /** Default: text/plain. */
  readonly type?: string;
  readonly allow?: string;
}

function findRefusal(
  { url = '', method = '', headers }: IncomingMessage,
  isServedHost: HostCheck,
): PlainReply | undefined {
  if (!isServedHost(headers.host)) return { status: 403, body: 'This host name is not served here.\n' };
  if (url.split('?', 1)[0] !== '/metrics') return { status: 404, body: 'Not found: try /metrics.\n' };
  if (method === 'GET' || method === 'HEAD') return undefined;
  return { status: 405, body: 'Only GET is supported.\n', allow: 'GET, HEAD' };
}

/** Requests that come while the metrics are read get what that reading gives: each costs a look at everything. */
function shareReading({ text }: MetricsSource): () => Promise<string> {
  let reading: Promise<string> | undefined;
  return () => {
    reading ??= text().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

function reply(response: ServerResponse, { status, body, type = 'text/plain', allow }: PlainReply): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    ...(allow === undefined ? {} : { Allow: allow }),
  });
  response.end(body);
}

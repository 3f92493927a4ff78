import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHostCheck } from '../http/pipeline.ts';
import { isLoopback } from '../settings/config.ts';
import type { ListenAddress } from '../settings/config-parsers.ts';
import { metricsProblem } from '../settings/start-problems.ts';
import type { MetricsSource } from './metrics.ts';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Only a few programs scrape; connections that send nothing are closed soon. */
const limits = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
const maxConnections = 50;

/**
 * Serves `/metrics` on an address of its own, so that visitors of embedding sites can never reach the
 * operators' metrics. Rejects with one sentence if it cannot listen there.
 */
export async function startMetricsServer(
  { host, port }: ListenAddress,
  source: MetricsSource,
): Promise<MetricsServer> {
  const isServedHost = createHostCheck({ loopback: isLoopback(host), allowed: [] });
  let reading: Promise<PlainReply> | undefined;
  /** Requests that arrive meanwhile share the reply, because making one reads everything. */
  const read = () => {
    reading ??= source
      .text()
      .then((body) => ({ status: 200, type: source.contentType, body }))
      .catch(() => notReadable)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const server = createServer(limits, ({ url = '', method = '', headers }, response) => {
    if (!isServedHost(headers.host)) reply(response, otherHost);
    else if (url.split('?', 1)[0] !== '/metrics') reply(response, notFound);
    else if (method !== 'GET' && method !== 'HEAD') reply(response, notAllowed);
    else void read().then((made) => reply(response, made));
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(metricsProblem(error, { host, port }))));
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: metricsUrl({ host, port: actual }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function metricsUrl({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
}

interface PlainReply {
  readonly status: number;
  readonly body: string;
  /** Default: text/plain. */
  readonly type?: string;
  readonly allow?: string;
}

const otherHost: PlainReply = { status: 403, body: 'This host name is not served here.\n' };
const notFound: PlainReply = { status: 404, body: 'Not found: try /metrics.\n' };
const notAllowed: PlainReply = { status: 405, body: 'Only GET is supported.\n', allow: 'GET, HEAD' };
const notReadable: PlainReply = { status: 500, body: 'The metrics could not be read.\n' };

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

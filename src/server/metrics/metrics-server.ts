import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHostCheck } from '../http/pipeline.ts';
import { isLoopback } from '../settings/config.ts';
import type { ListenAddress } from '../settings/config-parsers.ts';
import { metricsProblem } from '../settings/start-problems.ts';
import type { MetricsSource } from './metrics.ts';

export type MetricsServer = Awaited<ReturnType<typeof startMetricsServer>>;

/** Only a few programs scrape; connections that send nothing are closed soon. */
const limits = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
const maxConnections = 50;

/**
 * Serves `/metrics` on an address of its own, so that visitors of embedding sites can never reach the
 * operators' metrics. Rejects with one sentence if it cannot listen there.
 */
export async function startMetricsServer({ host, port }: ListenAddress, source: MetricsSource) {
  const isServedHost = createHostCheck(isLoopback(host), []);
  const server = createServer(limits, async ({ url = '', method = '', headers }, response) => {
    const reply = (status: number, body: string, more: Readonly<Record<string, string>> = {}) =>
      response
        .writeHead(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', ...more })
        .end(body);
    if (!isServedHost(headers.host)) return reply(403, 'This host name is not served here.\n');
    if (url.split('?', 1)[0] !== '/metrics') return reply(404, 'Not found: try /metrics.\n');
    if (method !== 'GET' && method !== 'HEAD')
      return reply(405, 'Only GET is supported.\n', { Allow: 'GET, HEAD' });
    try {
      return reply(200, await source.text(), { 'Content-Type': source.contentType });
    } catch {
      return reply(500, 'The metrics could not be read.\n');
    }
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(metricsProblem(error, { host, port }))));
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricsRegistry } from './metrics.ts';

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Parses `HOST:PORT`, such as `127.0.0.1:9464` or `[::1]:9464`. Throws a sentence. */
export function parseMetricsAddress(text: string): MetricsAddress {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65_535) {
    throw new Error('The address of the metrics is HOST:PORT, such as 127.0.0.1:9464.');
  }
  return { host, port };
}

/**
 * Serves `/metrics` on an address of its own, so that what operators read is never in reach of those who embed the badge.
 * Rejects with the system's error where the address is taken.
 */
export async function startMetricsServer(
  { host, port }: MetricsAddress,
  registry: Pick<MetricsRegistry, 'contentType' | 'text'>,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (request.url !== '/metrics') return reply(response, 404, 'text/plain', 'Not found: try /metrics.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return reply(response, 405, 'text/plain', 'Only GET is supported.\n');
    }
    registry.text().then(
      (text) => reply(response, 200, registry.contentType, text),
      () => reply(response, 500, 'text/plain', 'The metrics could not be read.\n'),
    );
  });
  server.maxConnections = 50;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
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

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

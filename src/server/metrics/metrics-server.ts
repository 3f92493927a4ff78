import { createClientOf } from '../http/client.ts';
import { createListener } from '../http/listener.ts';
import { createHostCheck, createPipeline } from '../http/pipeline.ts';
import { createRouter, type Route } from '../http/router.ts';
import { isLoopback } from '../settings/config.ts';
import type { ListenAddress } from '../settings/config-parsers.ts';
import { metricsProblem } from '../settings/start-problems.ts';
import type { MetricsSource } from './metrics.ts';

export type MetricsServer = Awaited<ReturnType<typeof startMetricsServer>>;

/** Only a few programs scrape; connections that send nothing are closed soon. */
const limits = { headersTimeout: 5_000, requestTimeout: 5_000, connections: 50 };

/**
 * Serves `/metrics` on an address of its own, so that visitors of embedding sites can never reach the
 * operators' metrics. Rejects with one sentence if it cannot listen there.
 */
export async function startMetricsServer({ host, port }: ListenAddress, source: MetricsSource) {
  const headers = ['Content-Type', source.contentType, 'Cache-Control', 'no-store'];
  const handler = async () => ({ status: 200, headers, body: await source.text() });
  const route: Route = { method: 'GET', path: '/metrics', handler };
  const pipeline = createPipeline({
    router: createRouter([{ routes: [route] }]),
    isServedHost: createHostCheck(isLoopback(host), []),
    clientOf: createClientOf(undefined),
    isPagePath: () => false,
    onFault: () => undefined,
  });
  const listener = createListener(pipeline, limits);
  const { port: actual } = await listener.listen(port, host).catch((error) => {
    throw new Error(metricsProblem(error, { host, port }));
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    close: () => listener.close(0),
  };
}

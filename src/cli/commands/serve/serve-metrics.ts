import type { MetricsSource } from '../../../server/metrics/metrics.ts';
import type { MetricsServer } from '../../../server/metrics/metrics-server.ts';
import type { ServeConfig } from '../../../server/settings/config.ts';
import { createLog } from '../../../server/settings/log.ts';

/** Opens the listener of the metrics, where there is to be one. */
export async function openMetrics(
  { metrics, log }: ServeConfig,
  source: MetricsSource,
): Promise<MetricsServer | undefined> {
  if (metrics === undefined) return undefined;
  const { startMetricsServer } = await import('../../../server/metrics/metrics-server.ts');
  const server = await startMetricsServer(metrics, source);
  createLog({ format: log }).info('metrics are served', { url: server.url });
  return server;
}

/** The same for the process whose workers serve. */
export async function openWorkerMetrics(config: ServeConfig): Promise<MetricsServer | undefined> {
  if (config.metrics === undefined) return undefined;
  const { createWorkerMetrics } = await import('../../../server/workers/worker-metrics.ts');
  return openMetrics(config, await createWorkerMetrics());
}

/** Where a worker's figures are: its parent serves them. Undefined with a port that only the parent knows. */
export async function workerMetricsUrl({ metrics }: ServeConfig): Promise<string | undefined> {
  if (metrics === undefined || metrics.port === 0) return undefined;
  const { toMetricsUrl } = await import('../../../server/metrics/metrics-server.ts');
  return toMetricsUrl(metrics);
}

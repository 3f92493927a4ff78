import type { MetricsSource } from '../../../server/metrics/metrics.ts';
import type { ServeConfig } from '../../../server/settings/config.ts';
import { createLog } from '../../../server/settings/log.ts';

/** Opens the listener of the metrics, where there is to be one; resolves to what closes it. */
export async function openMetrics(
  { metrics, log }: ServeConfig,
  source: MetricsSource,
): Promise<(() => Promise<void>) | undefined> {
  if (metrics === undefined) return undefined;
  const { startMetricsServer } = await import('../../../server/metrics/metrics-server.ts');
  const { url, close } = await startMetricsServer(metrics, source);
  createLog({ format: log }).info('metrics are served', { url });
  return close;
}

/** The same for the process whose workers serve. */
export async function openWorkerMetrics(config: ServeConfig): Promise<(() => Promise<void>) | undefined> {
  if (config.metrics === undefined) return undefined;
  const { createWorkerMetrics } = await import('../../../server/workers/worker-metrics.ts');
  return openMetrics(config, await createWorkerMetrics());
}

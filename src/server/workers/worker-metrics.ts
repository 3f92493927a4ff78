import cluster, { type Worker } from 'node:cluster';
import type { MetricSnapshot, MetricsSource, ProcessMetrics } from '../metrics/metrics.ts';

/** Sent by the primary; a worker that ends sends its last metrics unasked. */
type Question = { readonly type: 'metrics?' };
type Answer = { readonly type: 'metrics'; readonly snapshot: MetricSnapshot };

/** Milliseconds that a worker has to answer; after that, its last answer is used. */
const timeout = 1_000;

/**
 * The metrics of all workers, added up. The counts of a worker stay in the sums after it ends; otherwise each
 * restart would look like a burst to programs that compute rates. A killed worker loses its counts since its
 * last answer.
 */
export async function createWorkerMetrics(): Promise<MetricsSource> {
  const { default: prometheus } = await import('prom-client');
  const sumsOf = (snapshots: MetricSnapshot[]) => prometheus.AggregatorRegistry.aggregate(snapshots);
  const latest = new Map<number, MetricSnapshot>();
  const waiting = new Map<number, () => void>();
  let departed: Promise<MetricSnapshot> = Promise.resolve([]);

  cluster.on('message', ({ id }: Worker, message: Partial<Answer>) => {
    if (message.type !== 'metrics' || message.snapshot === undefined) return;
    latest.set(id, message.snapshot);
    waiting.get(id)?.();
  });
  // This event comes after the last message, while `exit` may come before it.
  cluster.on('disconnect', ({ id }) => {
    waiting.get(id)?.();
    const last = latest.get(id) ?? [];
    latest.delete(id);
    // Counts remain valid after the end of their process.
    const counts = last.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
    departed = departed.then((sums) => sumsOf([sums, counts]).getMetricsAsJSON());
  });

  const ask = (worker: Worker) =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, timeout).unref();
      waiting.set(worker.id, resolve);
      worker.send({ type: 'metrics?' } satisfies Question, () => undefined);
    }).finally(() => waiting.delete(worker.id));

  return {
    contentType: prometheus.Registry.PROMETHEUS_CONTENT_TYPE,
    async text() {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
      await Promise.all(workers.map((worker) => ask(worker as Worker)));
      return sumsOf([await departed, ...latest.values()]).metrics();
    },
  };
}

/** In a worker: answers the primary. Returns a function that sends the last metrics before the worker ends. */
export function answerPrimary({ snapshot }: ProcessMetrics): () => Promise<void> {
  const send = async () => {
    const answer: Answer = { type: 'metrics', snapshot: await snapshot() };
    await new Promise<void>((resolve) => {
      if (process.send === undefined || !process.connected) return resolve();
      process.send(answer, undefined, undefined, () => resolve());
    });
  };
  process.on('message', (message: Partial<Question>) => {
    if (message.type === 'metrics?') void send();
  });
  return send;
}

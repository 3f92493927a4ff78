import cluster, { type Worker } from 'node:cluster';
import type { MetricSnapshot, MetricsSource, ProcessMetrics } from '../metrics/metrics.ts';

/** The primary asks; a worker that ends sends its last figures without being asked. */
interface Question {
  readonly type: 'metrics?';
}
interface Answer {
  readonly type: 'metrics';
  readonly snapshot: MetricSnapshot;
}

/** Milliseconds that a worker has to answer; then its last answer is used. */
const patience = 1_000;

/**
 * The figures of all workers, added up. What a worker has counted stays in the sums when it ends; else each restart would look
 * like a burst of requests to a program that computes rates. One that was killed loses what it counted since its last answer.
 */
export async function createWorkerMetrics(): Promise<MetricsSource> {
  const { default: prometheus } = await import('prom-client');
  const toSums = (snapshots: MetricSnapshot[]) => prometheus.AggregatorRegistry.aggregate(snapshots);
  const latest = new Map<number, MetricSnapshot>();
  const waiting = new Map<number, () => void>();
  let departed: Promise<MetricSnapshot> = Promise.resolve([]);
  const own = new prometheus.Registry();
  const serving = new prometheus.Gauge({
    name: 'typebadge_workers',
    help: 'Processes of this server that answered this scrape.',
    registers: [own],
  });

  cluster.on('message', ({ id }: Worker, message: Partial<Answer>) => {
    if (message.type !== 'metrics' || message.snapshot === undefined) return;
    latest.set(id, message.snapshot);
    waiting.get(id)?.();
  });
  // Comes after the last message, as the end of the process may not.
  cluster.on('disconnect', ({ id }) => {
    waiting.get(id)?.();
    const last = latest.get(id);
    latest.delete(id);
    if (last === undefined) return;
    departed = departed.then((sums) => toSums([sums, last.filter(isSum)]).getMetricsAsJSON());
  });

  /** Resolves to whether it answered. */
  const ask = (worker: Worker) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), patience);
      waiting.set(worker.id, () => {
        clearTimeout(timer);
        resolve(worker.isConnected());
      });
      worker.send({ type: 'metrics?' } satisfies Question, () => undefined);
    }).finally(() => waiting.delete(worker.id));

  return {
    contentType: prometheus.Registry.PROMETHEUS_CONTENT_TYPE,
    async text() {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
      const answers = await Promise.all(workers.map((worker) => ask(worker as Worker)));
      serving.set(answers.filter((isAnswer) => isAnswer).length);
      const snapshots = [await departed, ...latest.values()].map(withWorstLag);
      return toSums([...snapshots, await own.getMetricsAsJSON()]).metrics();
    },
  };
}

/** In a worker: answers the primary. What it returns sends the last figures, before the worker ends. */
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

/** What has been counted stays true after the process that counted it. */
function isSum({ type }: MetricSnapshot[number]): boolean {
  return String(type) === 'counter' || String(type) === 'histogram';
}

/** The mean of a blocked process and three idle ones would hide the blocked one. */
function withWorstLag(snapshot: MetricSnapshot): MetricSnapshot {
  return snapshot.map((metric) =>
    metric.name.startsWith('nodejs_eventloop_lag') && metric.aggregator === 'average'
      ? { ...metric, aggregator: 'max' }
      : metric,
  );
}

import type { LabelValues, Registry } from 'prom-client';

/** What happened, as the rest of the server tells it. Every call is cheap and never throws. */
export interface Metrics {
  /** @param route the path as routed, such as `/api/sessions/:id/state`, never the path as sent; `ms` from start to last byte */
  request(route: string, method: string, status: number, ms: number): void;
  /** A limiter refused a request of this group. */
  refusal(group: string): void;
  /** Keys that sessions have taken. */
  keys(count: number): void;
  /** A round was finished. */
  round(): void;
  /** A command to the store took so many milliseconds. */
  store(operation: string, ms: number, isAnswered: boolean): void;
}

/** What is read anew whenever somebody asks for the metrics. */
export interface Readings {
  readonly version: string;
  readonly openSessions: () => number | Promise<number>;
  /** Announcements and origins have been read so often; grows with each change that this server serves. */
  readonly contentRevision: () => number;
}

export interface MetricsRegistry {
  readonly metrics: Metrics;
  /** The Prometheus text format, and its content type. */
  readonly contentType: string;
  text(): Promise<string>;
}

/** From a cached answer to a slow disk, in seconds. */
const requestBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const storeBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5];

/** Loads the metrics library, which nobody who does not ask for metrics pays for. */
export async function createMetricsRegistry(readings: Readings): Promise<MetricsRegistry> {
  const { default: prometheus } = await import('prom-client');
  const registry = new prometheus.Registry();
  const registers = [registry];
  prometheus.collectDefaultMetrics({ register: registry });

  const requests = new prometheus.Histogram({
    name: 'typebadge_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['route', 'method', 'status'],
    buckets: requestBuckets,
    registers,
  });
  const refusals = new prometheus.Counter({
    name: 'typebadge_limiter_refusals_total',
    help: 'Requests refused by a rate limit.',
    labelNames: ['group'],
    registers,
  });
  const keys = new prometheus.Counter({
    name: 'typebadge_keys_total',
    help: 'Keystrokes, spaces and backspaces taken.',
    registers,
  });
  const rounds = new prometheus.Counter({
    name: 'typebadge_rounds_total',
    help: 'Rounds finished.',
    registers,
  });
  const store = new prometheus.Histogram({
    name: 'typebadge_store_duration_seconds',
    help: 'Time that the store took to answer a command.',
    labelNames: ['operation'],
    buckets: storeBuckets,
    registers,
  });
  const storeErrors = new prometheus.Counter({
    name: 'typebadge_store_errors_total',
    help: 'Commands that the store did not carry out.',
    labelNames: ['operation'],
    registers,
  });
  addReadings(prometheus, registry, readings);

  return {
    metrics: {
      request: (route, method, status, ms) =>
        requests.observe({ route, method, status } satisfies LabelValues<string>, ms / 1000),
      refusal: (group) => refusals.inc({ group }),
      keys: (count) => keys.inc(count),
      round: () => rounds.inc(),
      store(operation, ms, isAnswered) {
        store.observe({ operation }, ms / 1000);
        if (!isAnswered) storeErrors.inc({ operation });
      },
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function addReadings(
  prometheus: typeof import('prom-client'),
  registry: Registry,
  { version, openSessions, contentRevision }: Readings,
): void {
  const registers = [registry];
  new prometheus.Gauge({
    name: 'typebadge_info',
    help: 'The version that is running; always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  new prometheus.Gauge({
    name: 'typebadge_open_sessions',
    help: 'Typing sessions that are open.',
    registers,
    async collect() {
      this.set(await openSessions());
    },
  });
  new prometheus.Gauge({
    name: 'typebadge_content_revision',
    help: 'Grows by one with each change of announcements or origins that this server has taken up.',
    registers,
    collect() {
      this.set(contentRevision());
    },
  });
}

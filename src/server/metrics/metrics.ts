import type { Registry } from 'prom-client';
import type { AnswerObserver, ObservedAnswer } from '../http/listener.ts';

/** What the parts of the server report to. Every call is cheap and never throws. */
export interface Metrics extends AnswerObserver {
  /** Keys were answered, including repeats. */
  keys(count: number): void;
  /** A round was finished. */
  round(): void;
  /** A store call such as `sessions.update` took `ms` milliseconds. */
  storeCall(operation: string, ms: number, isAnswered: boolean): void;
}

/** Where a scrape gets its text from. */
export interface MetricsSource {
  readonly contentType: string;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

/** The metrics of one process. */
export interface ProcessMetrics extends MetricsSource {
  readonly metrics: Metrics;
  /** Adds the metrics that are read at each scrape. */
  watch(readings: Readings): void;
  /** The same metrics as data, for a process that adds up several. */
  snapshot(): Promise<MetricSnapshot>;
}

export type MetricSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** In seconds, from a cached answer to a slow disk. */
const requestBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const storeBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5];

/** Loads the metrics library, so that it costs nothing when metrics are off. */
export async function createProcessMetrics(): Promise<ProcessMetrics> {
  const { default: prometheus } = await import('prom-client');
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  return {
    metrics: { ...createTraffic(prometheus, registry), ...createWork(prometheus, registry) },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    watch: (readings) => addReadings(prometheus, registry, readings),
  };
}

/** The methods of the routes. All others share a label: strangers must not create new ones. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);
const noRoute = 'none';

/**
 * The number of labels does not depend on what strangers send: a route is a pattern of the table, never a
 * path.
 */
function createTraffic(prometheus: typeof import('prom-client'), registry: Registry): AnswerObserver {
  const registers = [registry];
  const requests = new prometheus.Counter({
    name: 'typebadge_requests_total',
    help: 'Requests by matched route ("none" where there is none), method and status; 499: the client disconnected before the answer.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const durations = new prometheus.Histogram({
    name: 'typebadge_request_duration_seconds',
    help: 'Time to the last byte of an answer; requests that a rate limit refused are left out.',
    labelNames: ['route'],
    buckets: requestBuckets,
    registers,
  });
  const refusals = new prometheus.Counter({
    name: 'typebadge_limiter_refusals_total',
    help: 'Requests refused by a rate limit.',
    labelNames: ['group'],
    registers,
  });
  return {
    onAnswer({ route = noRoute, status, milliseconds, refusedBy, request }: ObservedAnswer) {
      const { method = '' } = request;
      requests.inc({ route, method: knownMethods.has(method) ? method : 'other', status });
      if (refusedBy === undefined) durations.observe({ route }, milliseconds / 1000);
      else refusals.inc({ group: refusedBy });
    },
  };
}

function createWork(
  prometheus: typeof import('prom-client'),
  registry: Registry,
): Omit<Metrics, keyof AnswerObserver> {
  const registers = [registry];
  const keys = new prometheus.Counter({
    name: 'typebadge_keys_total',
    help: 'Keystrokes, spaces and backspaces that were answered, repeats included.',
    registers,
  });
  const rounds = new prometheus.Counter({
    name: 'typebadge_rounds_total',
    help: 'Rounds finished.',
    registers,
  });
  const calls = new prometheus.Histogram({
    name: 'typebadge_store_duration_seconds',
    help: 'Time that the store (the files of the data folder, or --store) took for a call.',
    labelNames: ['operation'],
    buckets: storeBuckets,
    registers,
  });
  const errors = new prometheus.Counter({
    name: 'typebadge_store_errors_total',
    help: 'Calls of the store that failed.',
    labelNames: ['operation'],
    registers,
  });
  return {
    keys: (count) => keys.inc(count),
    round: () => rounds.inc(),
    storeCall(operation, ms, isAnswered) {
      calls.observe({ operation }, ms / 1000);
      if (!isAnswered) errors.inc({ operation });
    },
  };
}

/** Figures that are read at each scrape. */
export interface Readings {
  readonly version: string;
  /** Whose sessions are counted: a shared store reports the same number to all servers. */
  readonly sessionScope: 'server' | 'store';
  readonly openSessions: () => number | Promise<number>;
  /** Number of changes of announcements or origins that this server has applied. */
  readonly contentRevision: () => number;
  /** Why this server is not ready for requests; empty if it is. */
  readonly problems: () => readonly string[];
}

/**
 * Adds readings to a registry. `aggregator` says how the values of several processes of one server are
 * combined.
 */
function addReadings(
  prometheus: typeof import('prom-client'),
  registry: Registry,
  { version, sessionScope, openSessions, contentRevision, problems }: Readings,
): void {
  const registers = [registry];
  new prometheus.Gauge({
    name: 'typebadge_info',
    help: 'The version that is running; always 1.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  }).set({ version }, 1);
  new prometheus.Gauge({
    name: 'typebadge_open_sessions',
    help: 'Open typing sessions: of this server, or of the store that it shares with others (then all report the same).',
    labelNames: ['scope'],
    aggregator: sessionScope === 'store' ? 'max' : 'sum',
    registers,
    async collect() {
      try {
        this.set({ scope: sessionScope }, await openSessions());
      } catch {
        this.reset(); // the store is away: report the other metrics without this one
      }
    },
  });
  new prometheus.Gauge({
    name: 'typebadge_content_revision',
    help: 'Grows by one with each change of announcements or origins that this server has applied.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(contentRevision());
    },
  });
  new prometheus.Gauge({
    name: 'typebadge_ready',
    help: '1 while /health/ready answers 200: the content is valid and the store, if any, answers.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(problems().length === 0 ? 1 : 0);
    },
  });
}

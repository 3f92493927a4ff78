import type { Registry } from 'prom-client';
import type { ObservedAnswer } from '../http/listener.ts';

export interface Readings {
  readonly version: string;
  /** Whose sessions are counted: a shared store reports the same number to all servers. */
  readonly sessionScope: 'server' | 'store';
  readonly openSessions: () => number | Promise<number>;
  /** Number of changes of announcements or origins that this server has applied. */
  readonly contentRevision: () => number;
  readonly problems: () => readonly string[];
}

/** Where a scrape gets its text from, in the Prometheus text format. */
export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/** The metrics of one process; `snapshot` has them as data, for a process that adds up several. */
export type ProcessMetrics = Awaited<ReturnType<typeof createProcessMetrics>>;
/** What the parts of the server report to. Every call is cheap and never throws. */
export type Metrics = ProcessMetrics['metrics'];
export type MetricSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** In seconds, from a cached answer to a slow disk. */
const requestBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const storeBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5];

/** The methods of the routes. All others share a label, so that clients cannot create new ones. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);
const noRoute = 'none';

/** Loads the metrics library, so that it costs nothing when metrics are off. */
export async function createProcessMetrics() {
  const { default: prometheus } = await import('prom-client');
  const registry = new prometheus.Registry();
  const registers = [registry];
  prometheus.collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new prometheus.Counter({ name: `typebadge_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, label: string, buckets: number[]) =>
    new prometheus.Histogram({ name: `typebadge_${name}`, help, labelNames: [label], buckets, registers });
  /** Read at each scrape. `aggregator` says how the values of several processes of one server are combined. */
  const gauge = (
    name: string,
    help: string,
    aggregator: 'first' | 'max' | 'min' | 'sum',
    read: () => number | Promise<number>,
    labels: Readonly<Record<string, string>> = {},
  ) =>
    new prometheus.Gauge({
      name: `typebadge_${name}`,
      help,
      aggregator,
      labelNames: Object.keys(labels),
      registers,
      async collect() {
        try {
          this.set(labels, await read());
        } catch {
          this.reset(); // the store is away: report the other metrics without this one
        }
      },
    });
  const requests = counter(
    'requests_total',
    'Requests by matched route ("none" where there is none), method and status; 499: the client disconnected before the answer.',
    ...['route', 'method', 'status'],
  );
  const durations = histogram(
    'request_duration_seconds',
    'Time to the last byte of an answer; requests that a rate limit refused are left out.',
    'route',
    requestBuckets,
  );
  const refusals = counter('limiter_refusals_total', 'Requests refused by a rate limit.', 'group');
  const keys = counter(
    'keys_total',
    'Keystrokes, spaces and backspaces that were answered, repeats included.',
  );
  const rounds = counter('rounds_total', 'Rounds finished.');
  const calls = histogram(
    'store_duration_seconds',
    'Time that the store (the files of the data folder, or --store) took for a call.',
    'operation',
    storeBuckets,
  );
  const errors = counter('store_errors_total', 'Calls of the store that failed.', 'operation');
  const metrics = {
    onAnswer({ route = noRoute, status, milliseconds, refusedBy, request }: ObservedAnswer): void {
      const { method = '' } = request;
      requests.inc({ route, method: knownMethods.has(method) ? method : 'other', status });
      if (refusedBy === undefined) durations.observe({ route }, milliseconds / 1000);
      else refusals.inc({ group: refusedBy });
    },
    /** Keys were answered, including repeats. */
    keys: (count: number) => keys.inc(count),
    round: () => rounds.inc(),
    /** A store call such as `sessions.update` took `ms` milliseconds. */
    storeCall(operation: string, ms: number, isAnswered: boolean): void {
      calls.observe({ operation }, ms / 1000);
      if (!isAnswered) errors.inc({ operation });
    },
  };
  return {
    metrics,
    contentType: registry.contentType as string,
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    /** Adds the metrics that are read at each scrape. */
    watch({ version, sessionScope: scope, openSessions, contentRevision, problems }: Readings): void {
      gauge('info', 'The version that is running; always 1.', 'first', () => 1, { version });
      gauge(
        'open_sessions',
        'Open typing sessions: of this server, or of the store that it shares with others (then all report the same).',
        scope === 'store' ? 'max' : 'sum',
        openSessions,
        { scope },
      );
      gauge(
        'content_revision',
        'Grows by one with each change of announcements or origins that this server has applied.',
        'max',
        contentRevision,
      );
      gauge(
        'ready',
        '1 while /health/ready answers 200: the content is valid and the store, if any, answers.',
        'min',
        () => (problems().length === 0 ? 1 : 0),
      );
    },
  };
}

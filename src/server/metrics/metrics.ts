import type { Registry } from 'prom-client';
import type { AnswerObserver, ObservedAnswer } from '../http/listener.ts';
import { addReadings, type Readings } from './readings.ts';

/** Receives what the parts of the server report. Every call is cheap and never throws. */
export interface Metrics extends AnswerObserver {
  /** So many keys were answered, including repeats. */
  keys(count: number): void;
  /** A round was finished. */
  round(): void;
  /** A call of the store, such as `sessions.update`, took so many milliseconds. */
  storeCall(operation: string, ms: number, isAnswered: boolean): void;
}

/** Where a scrape gets its text from. */
export interface MetricsSource {
  readonly contentType: string;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

/** The figures of one process. */
export interface ProcessMetrics extends MetricsSource {
  readonly metrics: Metrics;
  /** Adds the figures that are read at each scrape. */
  watch(readings: Readings): void;
  /** The same figures as data, for a process that adds up several. */
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

/** The number of labels does not depend on what strangers send: a route is a pattern of the table, never a path. */
function createTraffic(prometheus: typeof import('prom-client'), registry: Registry): AnswerObserver {
  const registers = [registry];
  const requests = new prometheus.Counter({
    name: 'typebadge_requests_total',
    help: 'Requests by matched route ("none" where there is none), method and status; 499: the client was gone.',
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

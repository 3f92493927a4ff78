import type { Registry } from 'prom-client';

/** What is read whenever somebody asks for the metrics. */
export interface Readings {
  readonly version: string;
  /** Where sessions live: a store that servers share reports the same number to all of them. */
  readonly sessionScope: 'server' | 'store';
  readonly openSessions: () => number | Promise<number>;
  /** Grows by one with each change of announcements or origins that this server serves. */
  readonly contentRevision: () => number;
  /** Why this server should get no requests now; none as a rule. */
  readonly problems: () => readonly string[];
}

/** Adds them to a registry. `aggregator` says what several processes of one server make of their values. */
export function addReadings(
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
        this.reset(); // the store is away: all other figures are still there
      }
    },
  });
  new prometheus.Gauge({
    name: 'typebadge_content_revision',
    help: 'Grows by one with each change of announcements or origins that this server has taken up.',
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

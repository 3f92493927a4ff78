import type { Registry } from 'prom-client';

/** Figures that are read at each scrape. */
export interface Readings {
  readonly version: string;
  /** Whose sessions are counted: a shared store reports the same number to all servers. */
  readonly sessionScope: 'server' | 'store';
  readonly openSessions: () => number | Promise<number>;
  /** Number of changes of announcements or origins that this server has taken up. */
  readonly contentRevision: () => number;
  /** Why this server is not ready for requests; empty if it is. */
  readonly problems: () => readonly string[];
}

/** Adds them to a registry. `aggregator` says how the values of several processes of one server are combined. */
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
        this.reset(); // the store is away: report the other figures without this one
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

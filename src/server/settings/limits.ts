import { maxText } from '../../typing/modes/mode.ts';
import { maxRoundInputs } from '../../typing/round-input.ts';

/*
 * Every cap of the server. A request is cheap because it is small, so nothing is metered except the rates of
 * requests. The help of `serve` shows the defaults in this table, and `doctor` prints the fixed caps.
 */

export interface Limit {
  readonly value: number;
  readonly unit:
    | 'bytes'
    | 'characters'
    | 'lines'
    | 'levels'
    | 'connections'
    | 'requests'
    | 'inputs'
    | 'sessions'
    | 'clients'
    | 'ms';
  /** What it bounds and why, as one sentence for operators. */
  readonly reason: string;
  /** The option of `serve` whose default it is; undefined: it is fixed. */
  readonly option: string | undefined;
}

const limit = (value: number, unit: Limit['unit'], reason: string, option?: string): Limit => ({
  ...{ value, unit, reason, option },
});

export const limitTable = {
  headBytes: limit(8 * 1024, 'bytes', 'Request line and headers of one request; browsers send about 1 KiB.'),
  headerLines: limit(100, 'lines', 'Header lines of one request; browsers send about 20.'),
  bodyBytes: limit(16 * 1024, 'bytes', 'Body of a request that has no larger cap here.'),
  batchBytes: limit(64 * 1024, 'bytes', 'Body of a batch of 500 inputs.'),
  textBytes: limit(64 * 1024, 'bytes', 'Body of a request for a session with a custom text or word list.'),
  deskBytes: limit(
    64 * 1024,
    'bytes',
    "Body of an editor's request: an announcement in 20 languages takes 20 KiB.",
  ),
  clientBodies: limit(
    64,
    'requests',
    'Bodies of one client, or of all in one IPv6 /48, that arrive slowly: they are kept in memory.',
  ),
  uploadBytes: limit(512 * 1024, 'bytes', 'Body of an uploaded round.'),
  uploads: limit(256, 'requests', 'Uploaded rounds that arrive or wait; the server handles one at a time.'),
  clientUploads: limit(
    4,
    'requests',
    'Uploaded rounds of one client, or of one IPv6 /48, that arrive or wait.',
  ),
  clientReads: limit(
    128,
    'requests',
    'Slow reads (lists, histories, sessions on disk) that one client, or one IPv6 /48, may have waiting.',
  ),
  jsonDepth: limit(32, 'levels', 'Nested brackets of a JSON body; no request of ours has ten.'),
  roundInputs: limit(maxRoundInputs, 'inputs', 'Inputs of one round, whatever its text.'),
  textCharacters: limit(maxText, 'characters', 'A text to practise.'),
  sessions: limit(10_000, 'sessions', 'Open sessions of all clients.', '--max-sessions'),
  clientSessions: limit(50, 'sessions', 'Open sessions of one client.', '--max-sessions-per-client'),
  connections: limit(12_000, 'connections', 'Open connections; further ones are refused.'),
  clientConnections: limit(
    200,
    'connections',
    'Open connections of one client; further ones are refused.',
    '--max-connections-per-client',
  ),
  connectionRequests: limit(10_000, 'requests', 'Requests of one connection before it is closed.'),
  pipelinedRequests: limit(
    16,
    'requests',
    'Requests of one connection that wait for earlier ones; beyond, it is not read.',
  ),
  waitingRequests: limit(
    4_000,
    'requests',
    'Requests of all connections that wait for earlier ones; beyond, a further one is refused.',
  ),
  limitedClients: limit(
    10_000,
    'clients',
    'Clients whose rate is counted, at least; those seen longest ago are forgotten.',
  ),
  headersTimeout: limit(10_000, 'ms', 'Time to send the headers of a request.'),
  requestTimeout: limit(20_000, 'ms', 'Time to send a whole request.'),
  idleTimeout: limit(30_000, 'ms', 'Silence of a connection during a request or its answer.'),
  keepAliveTimeout: limit(5_000, 'ms', 'Idle time of a connection between two requests.'),
  shutdownGrace: limit(5_000, 'ms', 'Time for running requests when the server stops.'),
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof limitTable;

export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { value }]) => [name, value]),
) as Readonly<Record<LimitName, number>>;

/** `16 KiB`, `20 s`, `200 connections`. */
export function formatLimit({ value, unit }: Pick<Limit, 'value' | 'unit'>): string {
  if (unit === 'bytes') return `${value / 1024} KiB`;
  return unit === 'ms' ? `${value / 1000} s` : `${value.toLocaleString('en')} ${unit}`;
}

/** The policy of one token bucket. */
export interface LimitPolicy {
  /** Name of the policy in the `RateLimit` headers; of a bucket, it may contain the address of a client. */
  readonly name: string;
  /** Long-term requests per second. */
  readonly rate: number;
  /** Requests that a client may send at once after a pause. */
  readonly burst: number;
}

/** The answer of the buckets to one request. */
export interface Meter {
  readonly allowed: boolean;
  /** Tokens left in the first bucket, with a fraction. */
  readonly left: number;
  /** Milliseconds until the request would be allowed; 0 if it is. */
  readonly wait: number;
}

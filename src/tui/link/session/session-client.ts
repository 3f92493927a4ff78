import type { InputEvent, RoundUpload, TimingRequest } from '../../../contract/request-types.ts';
import type { HistoricalStatistics, SessionStatistics } from '../../../contract/statistics-types.ts';
import {
  expectKept,
  expectResults,
  expectSuccess,
  parseGameState,
  parseHistory,
  parseRound,
  parseSessionId,
  parseSessionStatistics,
  type ResumedState,
  type StartedRound,
} from './answers.ts';
import { type Catalog, parseLayouts, parseOffers } from './catalog.ts';
import { createJsonExchange } from './json-exchange.ts';
import { type SessionSetup, toSessionRequest } from './session-setup.ts';

/** Rounds that are compared with each other. */
export interface HistoryKind {
  readonly language: string;
  readonly layout: string;
}

function toQuery(kind: HistoryKind | undefined): string {
  return kind === undefined
    ? ''
    : `?${new URLSearchParams({ language: kind.language, layout: kind.layout })}`;
}

/** The session API as functions. Every one throws a `ServerProblem` and nothing else. */
export interface SessionClient {
  /** Makes a session and gives its id. */
  createSession(setup: SessionSetup): Promise<string>;
  /** Starts a round and gives its words, and what and by which rules the server plays. */
  startRound(session: string): Promise<StartedRound>;
  sendInput(session: string, events: readonly InputEvent[]): Promise<void>;
  sendTiming(session: string, timing: TimingRequest): Promise<void>;
  readState(session: string): Promise<ResumedState>;
  readSessionStatistics(session: string): Promise<SessionStatistics>;
  /** Of the session's mode; with a kind, in that language and on that layout only. */
  readHistory(session: string, kind?: HistoryKind): Promise<HistoricalStatistics>;
  save(session: string): Promise<void>;
  deleteSession(session: string): Promise<void>;
  /** Hands over a whole round; one that the server has already changes nothing. */
  addRound(round: RoundUpload): Promise<void>;
  /** The languages and layouts that the server offers; none where it has no extensions. */
  readCatalog(): Promise<Catalog>;
  /** Whether this typist may use the API at all: throws what a session would be refused with. */
  checkAccess(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionClientOptions {
  /** Ms to wait for a connection, and for each part of an answer. Default: 5000. */
  readonly timeout?: number;
  /** Ms from the request to the last byte of its answer, long enough for large ones on slow lines. Default: 20,000. */
  readonly deadline?: number;
  /** The typist's player key, for a server that strangers can reach. Default: none is sent. */
  readonly key?: string | undefined;
}

/** Talks to the server at `base` over one kept-alive connection, one request at a time. */
export function createSessionClient(base: URL, options: SessionClientOptions = {}): SessionClient {
  const { timeout = 5000, deadline = 20_000, key } = options;
  const { request, close } = createJsonExchange(base, { timeout, deadline, key });
  const post = (path: string, body?: unknown) => request('POST', path, body);
  const get = (path: string) => request('GET', path);

  return {
    createSession: async (setup) => parseSessionId(await post('/api/sessions', toSessionRequest(setup))),
    startRound: async (session) => parseRound(await post(`/api/sessions/${session}/round`)),
    sendInput: async (session, events) => {
      expectResults(await post(`/api/sessions/${session}/input`, { events }), events.length);
    },
    sendTiming: async (session, timing) => {
      expectSuccess(await post(`/api/sessions/${session}/timing`, timing));
    },
    readState: async (session) => parseGameState(await get(`/api/sessions/${session}/state`)),
    readSessionStatistics: async (session) =>
      parseSessionStatistics(await get(`/api/sessions/${session}/stats/session`)),
    readHistory: async (session, kind) =>
      parseHistory(await get(`/api/sessions/${session}/stats/historical${toQuery(kind)}`)),
    save: async (session) => {
      expectSuccess(await post(`/api/sessions/${session}/save`));
    },
    deleteSession: async (session) => {
      await request('DELETE', `/api/sessions/${session}`);
    },
    addRound: async (round) => {
      expectKept(await post('/api/rounds', round), round.id);
    },
    readCatalog: async () => ({
      languages: parseOffers(await get('/api/languages'), 'languages'),
      layouts: parseLayouts(await get('/api/layouts')),
    }),
    checkAccess: async () => {
      await get('/api/sessions?limit=1');
    },
    close,
  };
}

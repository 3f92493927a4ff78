import { Client } from 'undici';
import * as v from 'valibot';
import { ErrorBodySchema } from '../../contract/answer-types.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { InputEvent, RoundUpload, TimingRequest } from '../../contract/request-types.ts';
import type { HistoricalStatistics, SessionStatistics } from '../../contract/statistics-types.ts';
import {
  parseGameState,
  parseHistory,
  parseRound,
  parseSessionId,
  parseSessionStatistics,
  type ResumedState,
  type StartedRound,
} from './answers.ts';
import { type Catalog, parseLayouts, parseOffers } from './catalog.ts';
import { ServerProblem, toShownText } from './server-problem.ts';
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
  /** The languages and layouts that the server offers; none where it knows only the documents. */
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

/** No answer of this API comes near; a wrong server must not fill the memory. */
const largestAnswer = 4 * 1024 * 1024;

/** Talks to the server at `base` over one kept-alive connection, one request at a time. */
export function createSessionClient(base: URL, options: SessionClientOptions = {}): SessionClient {
  const { timeout = 5000, deadline = 20_000 } = options;
  const headers = {
    accept: 'application/json',
    ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
  };
  const connection = new Client(base.origin, {
    connect: { timeout },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: largestAnswer,
  });
  const prefix = base.pathname.replace(/\/+$/, '');
  const post = (path: string, body?: unknown) => request('POST', path, body);
  const get = (path: string) => request('GET', path);

  return {
    createSession: async (setup) => parseSessionId(await post('/api/sessions', toSessionRequest(setup))),
    startRound: async (session) => parseRound(await post(`/api/sessions/${session}/round`)),
    sendInput: async (session, events) => {
      await post(`/api/sessions/${session}/input`, { events });
    },
    sendTiming: async (session, timing) => {
      await post(`/api/sessions/${session}/timing`, timing);
    },
    readState: async (session) => parseGameState(await get(`/api/sessions/${session}/state`)),
    readSessionStatistics: async (session) =>
      parseSessionStatistics(await get(`/api/sessions/${session}/stats/session`)),
    readHistory: async (session, kind) =>
      parseHistory(await get(`/api/sessions/${session}/stats/historical${toQuery(kind)}`)),
    save: async (session) => {
      await post(`/api/sessions/${session}/save`);
    },
    deleteSession: async (session) => {
      await request('DELETE', `/api/sessions/${session}`);
    },
    addRound: async (round) => {
      await post('/api/rounds', round);
    },
    readCatalog: async () => ({
      languages: parseOffers(await get('/api/languages'), 'languages'),
      layouts: parseLayouts(await get('/api/layouts')),
    }),
    checkAccess: async () => {
      await get('/api/sessions?limit=1');
    },
    close: () => connection.destroy(),
  };

  async function request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const { status, text } = await exchange(method, prefix + path, body);
    if (status >= 200 && status < 300) return text === '' ? undefined : toJson(text);
    throw toProblem(status, text);
  }

  async function exchange(method: 'GET' | 'POST' | 'DELETE', path: string, body: unknown) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('its answer took too long')), deadline);
    try {
      const response = await connection.request({
        method,
        path,
        signal: late.signal, // the time-outs of the connection bound gaps: one drop a second would go on forever
        ...(body === undefined
          ? { headers }
          : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      throw new ServerProblem('away', `no answer from ${base.origin} (${toReason(error)})`);
    } finally {
      clearTimeout(timer);
    }
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServerProblem('refused', 'the server answered something that is not JSON');
  }
}

/** 408, 425, 429 and everything from 500 pass by themselves; the other errors stay as they are. */
function toProblem(status: number, text: string): ServerProblem {
  const { message, code } = readErrorBody(text);
  if (status === 401) return new ServerProblem('refused', keyRefused, code);
  const passes = status >= 500 || status === 408 || status === 425 || status === 429;
  return new ServerProblem(passes ? 'away' : 'refused', message || `the server answered ${status}`, code);
}

/** Mostly from a proxy that asks for a password, since a typebadge server takes every key of the right shape. */
const keyRefused =
  'it asks for a login that play cannot give (401): it accepts no player key, or a password protects it';

/** Proxies answer with bodies of their own: sentence and code are taken each for itself. */
function readErrorBody(text: string): { message: string; code?: ErrorCode } {
  const body = toJsonObject(text);
  const { error, code } = ErrorBodySchema.entries;
  return {
    message: v.is(error, body.error) ? toShownText(body.error) : '',
    ...(v.is(code, body.code) ? { code: body.code } : {}),
  };
}

function toJsonObject(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function toReason(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  const message = error instanceof Error ? error.message : String(error);
  return toShownText(typeof code === 'string' ? code : message);
}

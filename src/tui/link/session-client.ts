import { Client } from 'undici';
import type {
  GameState,
  HistoricalStatistics,
  InputEvent,
  SessionStatistics,
  TimingRequest,
} from '../../server/wire-types.ts';
import {
  parseGameState,
  parseHistory,
  parseSessionId,
  parseSessionStatistics,
  parseWords,
} from './answers.ts';
import { ServerProblem, toShownText } from './server-problem.ts';

/** The session API as functions. Every one throws a `ServerProblem` and nothing else. */
export interface SessionClient {
  /** Makes a session and gives its id. */
  createSession(punctuation: boolean): Promise<string>;
  /** Starts a round and gives its words. */
  startRound(session: string): Promise<readonly string[]>;
  sendInput(session: string, events: readonly InputEvent[]): Promise<void>;
  sendTiming(session: string, timing: TimingRequest): Promise<void>;
  readState(session: string): Promise<GameState>;
  readSessionStatistics(session: string): Promise<SessionStatistics>;
  readHistory(session: string): Promise<HistoricalStatistics>;
  save(session: string): Promise<void>;
  deleteSession(session: string): Promise<void>;
  close(): Promise<void>;
}

export interface SessionClientOptions {
  /** Ms to wait for a connection, and for an answer. Default: 5000. */
  readonly timeout?: number;
}

/** No answer of this API comes near; a wrong server must not fill the memory. */
const largestAnswer = 4 * 1024 * 1024;

/** Talks to the server at `base` over one kept-alive connection, one request at a time. */
export function createSessionClient(base: URL, options: SessionClientOptions = {}): SessionClient {
  const timeout = options.timeout ?? 5000;
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
    createSession: async (punctuation) =>
      parseSessionId(await post('/api/sessions', { punctuation_mode: punctuation })),
    startRound: async (session) => parseWords(await post(`/api/sessions/${session}/round`)),
    sendInput: async (session, events) => {
      await post(`/api/sessions/${session}/input`, { events });
    },
    sendTiming: async (session, timing) => {
      await post(`/api/sessions/${session}/timing`, timing);
    },
    readState: async (session) => parseGameState(await get(`/api/sessions/${session}/state`)),
    readSessionStatistics: async (session) =>
      parseSessionStatistics(await get(`/api/sessions/${session}/stats/session`)),
    readHistory: async (session) => parseHistory(await get(`/api/sessions/${session}/stats/historical`)),
    save: async (session) => {
      await post(`/api/sessions/${session}/save`);
    },
    deleteSession: async (session) => {
      await request('DELETE', `/api/sessions/${session}`);
    },
    close: () => connection.destroy(),
  };

  async function request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const { status, text } = await exchange(method, prefix + path, body);
    if (status >= 200 && status < 300) return text === '' ? undefined : toJson(text);
    throw toProblem(status, text);
  }

  async function exchange(method: 'GET' | 'POST' | 'DELETE', path: string, body: unknown) {
    try {
      const response = await connection.request({
        method,
        path,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      throw new ServerProblem('away', `no answer from ${base.origin} (${toReason(error)})`);
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
  const passes = status >= 500 || status === 408 || status === 425 || status === 429;
  return new ServerProblem(passes ? 'away' : 'refused', message || `the server answered ${status}`, code);
}

function readErrorBody(text: string): { message: string; code: string } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return { message: '', code: '' };
    const { error, code } = body as { error?: unknown; code?: unknown };
    return {
      message: typeof error === 'string' ? toShownText(error) : '',
      code: typeof code === 'string' ? code : '',
    };
  } catch {
    return { message: '', code: '' };
  }
}

function toReason(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  const message = error instanceof Error ? error.message : String(error);
  return toShownText(typeof code === 'string' ? code : message);
}

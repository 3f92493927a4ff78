import type * as wire from '../../src/contract/wire-types.ts';
import { send } from './http-client.ts';

export interface TypingAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** Talks to the typing API of a running server, on a kept-alive connection, and takes every answer as it comes. */
export function createTypingClient(port: number, prefix = '/api') {
  async function call<T>(method: string, path: string, body?: unknown): Promise<TypingAnswer<T>> {
    const answer = await send(port, {
      method,
      path: prefix + path,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = answer.body.toString();
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }
  /** For calls that must succeed: the body, or an error that says what came instead. */
  async function take<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call<T>(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return {
    call,
    createSession: async (punctuation_mode = false) =>
      (await take<wire.SessionCreated>('POST', '/sessions', { punctuation_mode })).session_id,
    deleteSession: (id: string) => take<undefined>('DELETE', `/sessions/${id}`),
    sessions: async () => (await take<wire.SessionList>('GET', '/sessions')).sessions,
    startRound: (id: string) => take<wire.Round>('POST', `/sessions/${id}/round`),
    keystroke: (id: string, request: wire.KeystrokeRequest) =>
      take<wire.KeystrokeResult>('POST', `/sessions/${id}/keystroke`, request),
    backspace: (id: string, request: wire.BackspaceRequest = {}) =>
      take<wire.BackspaceResult>('POST', `/sessions/${id}/backspace`, request),
    space: (id: string, request: wire.SpaceRequest = {}) =>
      take<wire.SpaceResult>('POST', `/sessions/${id}/space`, request),
    input: async (id: string, events: readonly wire.InputEvent[]) =>
      (await take<wire.InputResponse>('POST', `/sessions/${id}/input`, { events })).results,
    timing: (id: string, duration_ms: number, start_time_unix_ms = 1_700_000_000_000) =>
      take<wire.Success>('POST', `/sessions/${id}/timing`, {
        start_time_unix_ms,
        end_time_unix_ms: start_time_unix_ms + duration_ms,
        duration_ms,
      }),
    save: (id: string) => take<wire.Success>('POST', `/sessions/${id}/save`),
    state: (id: string) => take<wire.GameState>('GET', `/sessions/${id}/state`),
    sessionStatistics: (id: string) => take<wire.SessionStatistics>('GET', `/sessions/${id}/stats/session`),
    history: (id: string) => take<wire.HistoricalStatistics>('GET', `/sessions/${id}/stats/historical`),
  };
}

export type TypingClient = ReturnType<typeof createTypingClient>;

/** The events of a typist who types these words without a mistake, numbered from 1. */
export function flawless(words: readonly string[], seek_time_ms = 120): wire.InputEvent[] {
  const signs = [...words.map((word) => `${word} `).join('')];
  return signs.map((char, at) =>
    char === ' '
      ? { type: 'space', seek_time_ms, seq: at + 1 }
      : { type: 'keystroke', char, seek_time_ms, seq: at + 1 },
  );
}

/** Types a whole round without a mistake and submits its timing. */
export async function playRound(client: TypingClient, id: string, duration_ms = 60_000): Promise<void> {
  const { words } = await client.startRound(id);
  await client.input(id, flawless(words));
  await client.timing(id, duration_ms);
}

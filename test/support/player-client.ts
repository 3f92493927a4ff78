import type { RoundList, SessionList } from '../../src/contract/answer-types.ts';
import { bearer, type JsonAnswer, sendJson } from './http-client.ts';
import { flawless } from './typing-client.ts';

export interface PlayerOptions {
  readonly key?: string;
  /** Address that the trusted proxy reports. */
  readonly address?: string;
}

/** Talks to a server as a player does, through the proxy that the server trusts. */
export function createPlayerClient(port: () => number, { key, address }: PlayerOptions) {
  const from: Record<string, string> = address === undefined ? {} : { 'X-Forwarded-For': address };
  const ask = (method: string, path: string, body?: unknown): Promise<JsonAnswer> =>
    sendJson(port(), method, `/api${path}`, body, { ...bearer(key), ...from });
  return {
    ask,
    open: async (): Promise<string> => (await ask('POST', '/sessions')).json.session_id,
    async play(id: string) {
      const { words } = (await ask('POST', `/sessions/${id}/round`)).json;
      await ask('POST', `/sessions/${id}/input`, { events: flawless(words) });
      const timing = { start_time_unix_ms: 1, end_time_unix_ms: 60_001, duration_ms: 60_000 };
      return ask('POST', `/sessions/${id}/timing`, timing);
    },
    sessions: async () => ((await ask('GET', '/sessions')).json as SessionList).sessions.map(({ id }) => id),
    rounds: async (query = ''): Promise<RoundList> => (await ask('GET', `/rounds${query}`)).json,
    total: async (id: string): Promise<number> =>
      (await ask('GET', `/sessions/${id}/stats/historical`)).json.total_sessions,
  };
}

import type { RoundList, SessionList } from '../../src/contract/answer-types.ts';
import { type Answer, send } from './http-client.ts';
import { flawless } from './typing-client.ts';

export interface PlayerOptions {
  readonly key?: string;
  /** Address that the trusted proxy reports. */
  readonly address?: string;
}

/** Talks to a server as a player does, through the proxy that the server trusts. */
export function createPlayerClient(port: () => number, { key, address }: PlayerOptions) {
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer & { json: unknown }> => {
    const answer = await send(port(), {
      method,
      path: `/api${path}`,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(address === undefined ? {} : { 'X-Forwarded-For': address }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { ...answer, json: answer.body.length === 0 ? undefined : JSON.parse(answer.body.toString()) };
  };
  return {
    ask,
    async open() {
      const { json } = await ask('POST', '/sessions');
      return (json as { session_id: string }).session_id;
    },
    async play(id: string) {
      const { json } = await ask('POST', `/sessions/${id}/round`);
      await ask('POST', `/sessions/${id}/input`, { events: flawless((json as { words: string[] }).words) });
      const timing = { start_time_unix_ms: 1, end_time_unix_ms: 60_001, duration_ms: 60_000 };
      return ask('POST', `/sessions/${id}/timing`, timing);
    },
    sessions: async () => ((await ask('GET', '/sessions')).json as SessionList).sessions.map(({ id }) => id),
    rounds: async (query = '') => (await ask('GET', `/rounds${query}`)).json as RoundList,
    total: async (id: string) =>
      ((await ask('GET', `/sessions/${id}/stats/historical`)).json as { total_sessions: number })
        .total_sessions,
  };
}

import type { InputEvent, TimingRequest } from '../../../contract/request-types.ts';
import type { HistoricalStatistics, SessionStatistics } from '../../../contract/statistics-types.ts';
import type { ResumedState } from '../session/answers.ts';
import { ServerProblem } from '../session/server-problem.ts';
import type { HistoryKind, SessionClient } from '../session/session-client.ts';

export type DeliveryRequest =
  | { readonly type: 'state' | 'statistics' | 'save' | 'history' }
  | { readonly type: 'input'; readonly events: readonly InputEvent[] }
  | { readonly type: 'timing'; readonly timing: TimingRequest };

/** What came back for a request that was answered. */
export type DeliveryAnswer =
  | { readonly type: 'state'; readonly state: ResumedState }
  | { readonly type: 'input'; readonly count: number }
  | { readonly type: 'timing' }
  | { readonly type: 'statistics'; readonly statistics: SessionStatistics }
  | { readonly type: 'save'; readonly unsaved: string }
  | { readonly type: 'history'; readonly history: HistoricalStatistics };

/** The session that the requests of a delivery are about, and the client that sends them. */
export interface RequestTarget {
  readonly client: SessionClient;
  readonly session: string;
  /** What the history after the round is of. Default: the session's mode. */
  readonly kind?: HistoryKind;
}

/** Sends one request, and rejects with a `ServerProblem`. */
export async function sendRequest(
  { client, session, kind }: RequestTarget,
  request: DeliveryRequest,
): Promise<DeliveryAnswer> {
  switch (request.type) {
    case 'state':
      return { type: 'state', state: await client.readState(session) };
    case 'input':
      await client.sendInput(session, request.events);
      return { type: 'input', count: request.events.length };
    case 'timing':
      await client.sendTiming(session, request.timing);
      return { type: 'timing' };
    case 'statistics':
      return { type: 'statistics', statistics: await client.readSessionStatistics(session) };
    case 'save':
      return { type: 'save', unsaved: await save(client, session) };
    default:
      return { type: 'history', history: await client.readHistory(session, kind) };
  }
}

/** A full disk on the server does not hold the typist up: it keeps the round and tries again by itself. */
async function save(client: SessionClient, session: string): Promise<string> {
  try {
    await client.save(session);
    return '';
  } catch (problem) {
    if (problem instanceof ServerProblem && problem.code === 'INTERNAL_ERROR') return problem.message;
    throw problem;
  }
}

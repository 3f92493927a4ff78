import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import type {
  CreateSessionRequest,
  InputEvent,
  RoundUpload,
  TimingRequest,
} from '../../contract/request-types.ts';
import { wireRules } from '../../contract/session-setup.ts';
import type { ApiRequest, Transport } from '../../contract/transport.ts';
import { backspaceKey, spaceKey } from '../../typing/rules/rules.ts';
import type { RoundKind, Timing } from '../../typing/statistics/finished-round.ts';
import type { RoundLimits, RoundStart } from '../round/round-setup.ts';
import type { TypedInput } from '../round/round-view.ts';
import {
  type Catalog,
  parseCatalog,
  parseRound,
  parseSessionId,
  problemOf,
  requireStored,
  ServerProblem,
} from './answers.ts';

/** What a session practises, and two settings that are not sent. */
export interface SessionSetup extends CreateSessionRequest {
  /** What ends the round early. */
  readonly limits: RoundLimits;
  /** Whether the text is a custom one, which no server beyond this computer gets. */
  readonly isCustomText: boolean;
}

export type SessionApi = ReturnType<typeof createSessionApi>;

/** The session API as functions, which reject with a `ServerProblem` and nothing else. */
export function createSessionApi(transport: Transport) {
  const call = async (method: ApiRequest['method'], path: string, body?: unknown): Promise<unknown> => {
    const response = await transport({ method, path, body }).catch((error: unknown) => {
      throw error instanceof ServerProblem ? error : new ServerProblem('away', String(error));
    });
    if (response.status >= 200 && response.status < 300) return response.body;
    throw problemOf(response);
  };
  const get = (path: string) => call('GET', path);
  const post = (path: string, body?: unknown) => call('POST', path, body);

  return {
    /** Creates a session, by default without a setup, and resolves to its id. */
    async createSession(setup?: SessionSetup) {
      const { limits: _, isCustomText: __, ...request } = setup ?? { limits: undefined, isCustomText: false };
      return parseSessionId(await post('/api/sessions', request));
    },
    startRound: async (session: string, { punctuation_mode = false, limits }: SessionSetup) =>
      parseRound(await post(`/api/sessions/${session}/round`), punctuation_mode, limits),
    /** @param first how many inputs of the round come before these */
    async sendInput(session: string, round: string, inputs: readonly TypedInput[], first: number) {
      const events = inputs.map((input, at) => ({ ...inputEvent(input, first + at), round_id: round }));
      await post(`/api/sessions/${session}/input`, { events });
    },
    /** The session's round is over. */
    async finish(session: string, timing: Timing) {
      await post(`/api/sessions/${session}/timing`, timingRequest(timing));
    },
    /** Statistics of one kind of rounds. Not validated: it only comes from this process. */
    async history(session: string, { mode, language, layout }: RoundKind) {
      const query = new URLSearchParams({ mode, language, layout });
      return (await get(`/api/sessions/${session}/stats/historical?${query}`)) as HistoricalStatistics;
    },
    async deleteSession(session: string) {
      await call('DELETE', `/api/sessions/${session}`);
    },
    /** Uploads a whole round; one that the server already has changes nothing. */
    async addRound(start: RoundStart, inputs: readonly TypedInput[], timing: Timing) {
      requireStored(await post('/api/rounds', roundUpload(start, inputs, timing)), start.id);
    },
    catalog: async (): Promise<Catalog> =>
      parseCatalog(await get('/api/languages'), await get('/api/layouts')),
    /** Rejects as `createSession` would. */
    async checkAccess() {
      await get('/api/sessions?limit=1');
    },
  };
}

function roundUpload(start: RoundStart, inputs: readonly TypedInput[], timing: Timing): RoundUpload {
  const { id, words, rules, punctuation, roundSetup } = start;
  const { mode, language, layout } = roundSetup;
  return {
    id,
    words: [...words],
    rules: wireRules(rules),
    mode,
    language,
    layout,
    punctuation_mode: punctuation,
    events: inputs.map(inputEvent),
    ...timingRequest(timing),
  };
}

function timingRequest({ start, end, duration }: Timing): TimingRequest {
  return { start_time_unix_ms: start, end_time_unix_ms: end, duration_ms: duration };
}

/** An input in the format of the API. @param at its place in the round, from 0 */
function inputEvent({ key, ms }: TypedInput, at: number): InputEvent {
  const seq = at + 1;
  if (key === backspaceKey) return { type: 'backspace', seq };
  if (key === spaceKey) return { type: 'space', seek_time_ms: ms, seq };
  return { type: 'keystroke', char: key, seek_time_ms: ms, seq };
}

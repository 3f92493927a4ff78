import type * as v from 'valibot';
import type {
  CreateSessionRequest,
  InputEvent,
  RoundUpload,
  TimingRequest,
} from '../../contract/request-types.ts';
import type { ModeRequestSchema } from '../../contract/session-setup.ts';
import type { ApiRequest, Transport } from '../../contract/transport.ts';
import type { Rules } from '../../typing/rules/rules.ts';
import type { RoundKind } from '../../typing/statistics/finished-round.ts';
import type { RoundLimits } from '../round/round-setup.ts';
import {
  type Catalog,
  parseHistory,
  parseLanguages,
  parseLayouts,
  parseRound,
  parseSessionId,
  problemOf,
  requireStored,
  ServerProblem,
} from './answers.ts';

export type ModeRequest = v.InferInput<typeof ModeRequestSchema>;

/** What a session is to practise. */
export interface SessionSetup {
  readonly punctuation: boolean;
  /** Whether a space before the end of a word is a mistake, instead of its end. */
  readonly isStrict: boolean;
  readonly stopOn: Rules['stopOn'];
  readonly backspace: Rules['backspace'];
  /** What ends the round early. It is not sent to any server. */
  readonly limits: RoundLimits;
  readonly mode: ModeRequest;
  readonly language: string;
  readonly layout: string;
  /** Whether the text is the typist's own, which goes to no server beyond this computer. */
  readonly isCustomText: boolean;
}

export type SessionApi = ReturnType<typeof createSessionApi>;

/** The session API as functions. Every one rejects with a `ServerProblem` and nothing else. */
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
    /** Makes a session, the default one without a setup, and gives its id. */
    createSession: async (setup: SessionSetup | undefined) =>
      parseSessionId(await post('/api/sessions', setup === undefined ? {} : sessionRequest(setup))),
    startRound: async (session: string) => parseRound(await post(`/api/sessions/${session}/round`)),
    async sendInput(session: string, events: readonly InputEvent[]) {
      await post(`/api/sessions/${session}/input`, { events });
    },
    /** The session's round is over. */
    async finish(session: string, timing: TimingRequest) {
      await post(`/api/sessions/${session}/timing`, timing);
    },
    /** Of the rounds in that mode and language and on that layout. */
    async history(session: string, { mode, language, layout }: RoundKind) {
      const query = new URLSearchParams({ mode, language, layout });
      return parseHistory(await get(`/api/sessions/${session}/stats/historical?${query}`));
    },
    async deleteSession(session: string) {
      await call('DELETE', `/api/sessions/${session}`);
    },
    /** Hands over a whole round; one that the server has already changes nothing. */
    async addRound(round: RoundUpload) {
      requireStored(await post('/api/rounds', round), round.id);
    },
    catalog: async (): Promise<Catalog> => ({
      languages: parseLanguages(await get('/api/languages')),
      layouts: parseLayouts(await get('/api/layouts')),
    }),
    /** Rejects with what a session would be refused with. */
    async checkAccess() {
      await get('/api/sessions?limit=1');
    },
  };
}

/** A server without extensions ignores what it does not know. */
export function sessionRequest(setup: SessionSetup): CreateSessionRequest {
  const { punctuation, mode, language, layout, isStrict, stopOn, backspace } = setup;
  return {
    punctuation_mode: punctuation,
    rules: { early_space: isStrict ? 'error' : 'skip', stop_on: stopOn, backspace },
    mode,
    language,
    layout,
  };
}

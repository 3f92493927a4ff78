import type * as v from 'valibot';
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import type { OwnLayout } from '../../contract/own-layout.ts';
import type {
  CreateSessionRequest,
  InputEvent,
  RoundUpload,
  TimingRequest,
} from '../../contract/request-types.ts';
import type { ModeRequestSchema } from '../../contract/session-setup.ts';
import type { ApiRequest, Transport } from '../../contract/transport.ts';
import { defaultMode } from '../../typing/modes/mode.ts';
import type { Rules } from '../../typing/rules/rules.ts';
import type { RoundLimits } from '../round/practised.ts';
import type { RoundStart } from '../round/round-view.ts';
import {
  type Catalog,
  parseHistory,
  parseLanguages,
  parseLayouts,
  parseRound,
  parseSessionId,
  problemOf,
  requireKept,
  requireResults,
  requireSuccess,
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
  /** What ends the round early. No server learns of it. */
  readonly limits: RoundLimits;
  readonly mode: ModeRequest;
  readonly language: string;
  readonly layout: string;
  /** The layout itself, if it is a custom one: sent in place of its id. */
  readonly ownLayout: OwnLayout | undefined;
  /** Whether the text is the typist's own, which goes to no server beyond this computer. */
  readonly isOwnText: boolean;
}

/** Rounds that are compared with each other. */
export interface HistoryKind {
  readonly mode: string;
  readonly language: string;
  readonly layout: string;
}

/** The session API as functions. Every one rejects with a `ServerProblem` and nothing else. */
export interface SessionApi {
  /** Makes a session, the usual one without a setup, and gives its id. */
  createSession(setup: SessionSetup | undefined): Promise<string>;
  startRound(session: string): Promise<Omit<RoundStart, 'punctuation'>>;
  sendInput(session: string, events: readonly InputEvent[]): Promise<void>;
  /** Finishes the round of the session and makes sure that it is saved. */
  finish(session: string, timing: TimingRequest): Promise<void>;
  /** Of the rounds in that mode and language and on that layout. */
  history(session: string, kind: HistoryKind): Promise<HistoricalStatistics>;
  deleteSession(session: string): Promise<void>;
  /** Hands over a whole round; one that the server has already changes nothing. */
  addRound(round: RoundUpload): Promise<void>;
  catalog(): Promise<Catalog>;
  /** Rejects with what a session would be refused with. */
  checkAccess(): Promise<void>;
}

export function createSessionApi(transport: Transport): SessionApi {
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
    createSession: async (setup) =>
      parseSessionId(await post('/api/sessions', setup === undefined ? {} : sessionRequest(setup))),
    startRound: async (session) => parseRound(await post(`/api/sessions/${session}/round`)),
    async sendInput(session, events) {
      requireResults(await post(`/api/sessions/${session}/input`, { events }), events.length);
    },
    async finish(session, timing) {
      requireSuccess(await post(`/api/sessions/${session}/timing`, timing));
      requireSuccess(await post(`/api/sessions/${session}/save`));
    },
    async history(session, { mode, language, layout }) {
      const query = new URLSearchParams({ mode, language, layout });
      return parseHistory(await get(`/api/sessions/${session}/stats/historical?${query}`));
    },
    async deleteSession(session) {
      await call('DELETE', `/api/sessions/${session}`);
    },
    async addRound(round) {
      requireKept(await post('/api/rounds', round), round.id);
    },
    catalog: async () => ({
      languages: parseLanguages(await get('/api/languages')),
      layouts: parseLayouts(await get('/api/layouts')),
    }),
    async checkAccess() {
      await get('/api/sessions?limit=1');
    },
  };
}

/** The usual is left out, for a server without extensions. */
export function sessionRequest(setup: SessionSetup): CreateSessionRequest {
  const { punctuation, mode, language, isStrict, stopOn, backspace } = setup;
  const layout = setup.ownLayout ?? setup.layout;
  const rules: NonNullable<CreateSessionRequest['rules']> = {
    ...(isStrict ? {} : { early_space: 'skip' }),
    ...(stopOn === 'none' ? {} : { stop_on: stopOn }),
    ...(backspace === 'free' ? {} : { backspace }),
  };
  return {
    punctuation_mode: punctuation,
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    ...(isUsual(mode) ? {} : { mode }),
    ...(language === 'en' ? {} : { language }),
    ...(layout === 'qwerty' ? {} : { layout }),
  };
}

function isUsual(mode: ModeRequest): boolean {
  return mode.type === 'words' && mode.count === defaultMode.count && Object.keys(mode).length === 2;
}

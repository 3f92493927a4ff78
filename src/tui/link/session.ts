// Answers are checked by the contract's schemas and bounded, because the server may be any program.
import * as v from 'valibot';
import {
  ErrorBodySchema,
  type HistoricalStatistics,
  LanguageListSchema,
  LayoutListSchema,
  RoundSchema,
  RoundUploadResultSchema,
  SessionCreatedSchema,
} from '../../contract/answer-types.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import {
  type CreateSessionRequest,
  type InputEvent,
  type RoundUpload,
  RoundUploadSchema,
  type TimingRequest,
} from '../../contract/request-types.ts';
import { engineRules, wireRules } from '../../contract/session-setup.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../contract/transport.ts';
import type { Language } from '../../typing/letters/language.ts';
import type { Layout } from '../../typing/letters/layout.ts';
import { backspaceKey, spaceKey } from '../../typing/rules/rules.ts';
import { isTypable, wordsOf } from '../../typing/rules/word.ts';
import type { RoundKind, Timing } from '../../typing/statistics/finished-round.ts';
import type { RoundLimits, RoundStart } from '../round/round-setup.ts';
import type { TypedInput } from '../round/round-view.ts';

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
      const answer = await post('/api/sessions', request);
      return encodeURIComponent(parsed(SessionCreatedSchema, answer, 'session').session_id);
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
    /**
     * Uploads a whole round; one that the server already has changes nothing. Rejects unless the server
     * confirms that it has the round: its file here is removed after that.
     */
    async addRound(start: RoundStart, inputs: readonly TypedInput[], timing: Timing) {
      const answer = await post('/api/rounds', roundUpload(start, inputs, timing));
      if (parsed(RoundUploadResultSchema, answer, 'confirmation').id !== start.id)
        throw new ServerProblem('refused', 'the server does not confirm that it has the round');
    },
    catalog: async (): Promise<Catalog> => ({
      ...parsed(LanguageListSchema, await get('/api/languages'), 'list of languages'),
      ...parsed(LayoutListSchema, await get('/api/layouts'), 'list of layouts'),
    }),
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

/**
 * Why a request failed. `away`: nobody answered, or the server is in trouble, so the same
 * request may succeed later. `refused`: the server said no, or something else answered in its place, such as
 * the login page of a network.
 */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  constructor(
    readonly kind: 'away' | 'refused',
    message: string,
    /** The code of the API's error body; undefined if there was none, or none that the contract knows. */
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Usually from a proxy with a password, because a typebadge server accepts every well-formed key. */
const keyRefused =
  'it asks for a login that play cannot give (401): it accepts no player key, or a password protects it';

/** The problem that an answer reports: 408, 425, 429 and 5xx are temporary; other errors are not. */
function problemOf({ status, body }: ApiResponse): ServerProblem {
  const { success, output } = v.safeParse(ErrorBodySchema, body);
  const { error, code } = success ? output : { error: `the server answered ${status}`, code: undefined };
  if (status === 401) return new ServerProblem('refused', keyRefused, code);
  const passes = status >= 500 || status === 408 || status === 425 || status === 429;
  // It becomes part of a sentence.
  return new ServerProblem(passes ? 'away' : 'refused', error.replace(/\.$/, ''), code);
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
  what: string,
): v.InferOutput<Schema> {
  const { success, output } = v.safeParse(schema, answer);
  if (success) return output;
  throw new ServerProblem('refused', `the server sent a ${what} that this client does not understand`);
}

/** A deeper indent would push lines off the screen. */
const maxIndent = 40;

const NewRoundSchema = v.object({
  ...RoundSchema.entries,
  /** At most as many, and as long, as in an uploaded round. */
  words: v.pipe(
    RoundUploadSchema.entries.words,
    v.check((words) => wordsOf(words).every((word) => [...word].every(isTypable))),
  ),
});

/** A new round, with what the answer lacks: the requested punctuation, and the client's limits. */
export function parseRound(answer: unknown, punctuation: boolean, limits: RoundLimits): RoundStart {
  const round = parsed(NewRoundSchema, answer, 'round');
  const { mode, language, layout, line_ends: lineEnds = [], indents = [], source = '', focus = [] } = round;
  return {
    id: round.round_id,
    words: round.words,
    rules: engineRules(round.rules),
    punctuation,
    roundSetup: {
      mode,
      language,
      layout,
      lineEnds,
      indents: indents.map((columns) => Math.min(maxIndent, columns)),
      focus: focus.map(({ text, ms, target_ms }) => ({ text, ms, targetMs: target_ms })),
      source,
      limits,
    },
  };
}

/** The languages and layouts of a server. */
export interface Catalog {
  readonly languages: readonly Pick<Language, 'id' | 'name' | 'alphabet'>[];
  readonly layouts: readonly Layout[];
}

// Answers are checked by the contract's schemas and bounded, because the server may be any program.
import * as v from 'valibot';
import {
  ErrorBodySchema,
  type HistoricalStatistics,
  LanguageListSchema,
  LayoutListSchema,
  RoundSchema,
  SessionCreatedSchema,
} from '../../contract/answer-types.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { HttpFailure } from '../../contract/http-transport.ts';
import {
  type CreateSessionRequest,
  type InputEvent,
  type RoundUpload,
  RoundUploadSchema,
} from '../../contract/request-types.ts';
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

/** A round that was begun in a session. */
export interface NewRound {
  /** Path of the session. */
  readonly session: string;
  readonly start: RoundStart;
}

export type SessionApi = ReturnType<typeof createSessionApi>;

/** The session API as functions, which reject with a `ServerProblem` and nothing else. */
export function createSessionApi(transport: Transport) {
  /** One for all rounds with the same setup, so that no text comes twice in a row. */
  let session: { readonly setup: string; readonly path: string } | undefined;

  async function send(method: ApiRequest['method'], path: string, body?: unknown): Promise<ApiResponse> {
    const response = await transport({ method, path, body }).catch((error: unknown) => {
      throw new ServerProblem(error instanceof HttpFailure ? error.kind : 'away', messageOf(error));
    });
    if (response.status >= 200 && response.status < 300) return response;
    throw problemOf(response);
  }

  async function answerTo<Schema extends v.GenericSchema>(
    request: readonly [ApiRequest['method'], path: string, body?: unknown],
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    const { success, output } = v.safeParse(schema, (await send(...request)).body);
    if (success) return output;
    throw new ServerProblem('refused', `the server's answer to ${request[1]} cannot be understood`);
  }

  /** Ends the session, which nobody needs any more. */
  async function leave(): Promise<void> {
    const { path } = session ?? {};
    session = undefined;
    if (path !== undefined) await send('DELETE', path);
  }

  async function openSession(request: CreateSessionRequest): Promise<string> {
    const setup = JSON.stringify(request);
    if (session?.setup === setup) return session.path;
    leave().catch(() => {});
    const { session_id: id } = await answerTo(['POST', '/api/sessions', request], SessionCreatedSchema);
    session = { setup, path: `/api/sessions/${encodeURIComponent(id)}` };
    return session.path;
  }

  return {
    leave,
    async newRound({ limits, isCustomText: _, ...setup }: SessionSetup): Promise<NewRound> {
      const path = await openSession(setup);
      try {
        const round = await answerTo(['POST', `${path}/round`], NewRoundSchema);
        if (kindOf({ ...round, ...setup }) !== kindOf(round))
          throw new ServerProblem('refused', 'it began a round in another language or for another layout');
        return { session: path, start: newRoundStart(round, setup, limits) };
      } catch (problem) {
        session = undefined; // it may have expired: the next round gets another one
        throw problem;
      }
    },
    /** Inputs of a new round, as they are typed. @param first how many of the round come before them */
    async sendInput(
      { session, start }: NewRound,
      inputs: readonly TypedInput[],
      first: number,
    ): Promise<void> {
      const events = inputs.map((input, at) => ({
        ...inputEvent(input),
        seq: first + at + 1,
        round_id: start.id,
      }));
      await send('POST', `${session}/input`, { events });
    },
    /** Statistics of one kind of rounds. Not validated: it only comes from this process. */
    async history({ mode, language, layout }: RoundKind): Promise<HistoricalStatistics> {
      const path = session?.path ?? (await openSession({})); // any session can answer for every mode
      const query = new URLSearchParams({ mode, language, layout });
      return (await send('GET', `${path}/stats/historical?${query}`)).body as HistoricalStatistics;
    },
    /** Whether the server has this round; false if it does not say. */
    hasRound: (id: string): Promise<boolean> =>
      send('GET', `/api/rounds?limit=1&after=${id}`).then(
        () => true,
        () => false,
      ),
    /**
     * Uploads a whole round; one that the server already has changes nothing. Rejects unless the server
     * confirms that it has the round: its file here is removed after that.
     */
    async addRound(start: RoundStart, inputs: readonly TypedInput[], timing: Timing): Promise<void> {
      const { id, words, rules, punctuation, roundSetup } = start;
      const { mode, language, layout } = roundSetup;
      const upload: RoundUpload = {
        id,
        words: [...words],
        rules,
        mode,
        language,
        layout,
        punctuation_mode: punctuation,
        events: inputs.map(inputEvent),
        start_time_unix_ms: timing.start,
        end_time_unix_ms: timing.end,
        duration_ms: timing.duration,
      };
      await answerTo(['POST', '/api/rounds', upload], v.object({ id: v.literal(id) }));
    },
    catalog: async (): Promise<Catalog> => ({
      ...(await answerTo(['GET', '/api/languages'], LanguageListSchema)),
      ...(await answerTo(['GET', '/api/layouts'], LayoutListSchema)),
    }),
    /** Rejects unless a typebadge server lets this typist play. */
    async checkAccess(): Promise<void> {
      const { headers } = await send('GET', '/api/sessions?limit=1');
      if (headers['api-version'] !== 'v1') throw new ServerProblem('refused', 'it is not typebadge');
    },
  };
}

/** An input in the format of the API. */
function inputEvent({ key, ms }: TypedInput): InputEvent {
  if (key === backspaceKey) return { type: 'backspace' };
  if (key === spaceKey) return { type: 'space', seek_time_ms: ms };
  return { type: 'keystroke', char: key, seek_time_ms: ms };
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
function problemOf({ status, body, headers: { location } }: ApiResponse): ServerProblem {
  const { success, output } = v.safeParse(ErrorBodySchema, body);
  const other = location === undefined ? `the server answered ${status}` : `it redirects to ${location}`;
  const { error, code } = success ? output : { error: other, code: undefined };
  if (status === 401) return new ServerProblem('refused', keyRefused, code);
  const passes = status >= 500 || status === 408 || status === 425 || status === 429;
  // It becomes part of a sentence.
  const message = error.slice(0, longestError).replace(/\.$/, '');
  return new ServerProblem(passes ? 'away' : 'refused', message, code);
}

/** In UTF-16 units: what a hostile server says must not keep the screen busy. */
const longestError = 300;

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

/** Names that this computer must know to save a round: those that were asked for. */
function kindOf({ mode, language, layout }: CreateSessionRequest): string {
  return JSON.stringify([language, layout, mode?.type === 'code' && mode.language]);
}

/** A new round, with what the answer lacks: requested punctuation and words, and the client's limits. */
function newRoundStart(
  round: v.InferOutput<typeof NewRoundSchema>,
  { punctuation_mode: punctuation = false, mode: requested }: CreateSessionRequest,
  limits: RoundLimits,
): RoundStart {
  const { mode, language, layout, line_ends: lineEnds = [], indents = [], source = '', focus = [] } = round;
  return {
    id: round.round_id.toLowerCase(), // it is the same UUID in capitals
    words: round.words,
    rules: round.rules,
    punctuation,
    roundSetup: {
      mode: mode.type === 'words' && requested?.type === 'words' ? { ...requested, ...mode } : mode,
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

// Answers are checked by the contract's schemas and bounded, because the server may be any program.
import * as v from 'valibot';
import {
  ErrorBodySchema,
  LanguageListSchema,
  LayoutListSchema,
  RoundSchema,
  RoundUploadResultSchema,
  SessionCreatedSchema,
} from '../../contract/answer-types.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { RoundUploadSchema } from '../../contract/request-types.ts';
import { engineRules } from '../../contract/session-setup.ts';
import type { ApiResponse } from '../../contract/transport.ts';
import type { Language } from '../../typing/letters/language.ts';
import type { Layout } from '../../typing/letters/layout.ts';
import { isTypable, wordsOf } from '../../typing/rules/word.ts';
import type { RoundLimits, RoundStart } from '../round/round-setup.ts';

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
export function problemOf({ status, body }: ApiResponse): ServerProblem {
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

export function parseSessionId(answer: unknown): string {
  const { session_id } = parsed(SessionCreatedSchema, answer, 'session');
  return encodeURIComponent(session_id);
}

/** Throws unless the server confirms that it has this round: its file here is removed after that. */
export function requireStored(answer: unknown, id: string): void {
  if (parsed(RoundUploadResultSchema, answer, 'confirmation').id !== id)
    throw new ServerProblem('refused', 'the server does not confirm that it has the round');
}

/** A deeper indent would push lines off the screen. */
const maxIndent = 40;

const NewRoundSchema = v.object({
  ...RoundSchema.entries,
  round_id: v.pipe(v.string(), v.uuid()),
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

export function parseCatalog(languages: unknown, layouts: unknown): Catalog {
  return {
    ...parsed(LanguageListSchema, languages, 'list of languages'),
    ...parsed(LayoutListSchema, layouts, 'list of layouts'),
  };
}

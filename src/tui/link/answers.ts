// Answers are checked by the contract's schemas and bounded, because the server may be any program.
import * as v from 'valibot';
import {
  ErrorBodySchema,
  type HistoricalStatistics,
  HistoricalStatisticsSchema,
  RoundSchema,
  RoundUploadResultSchema,
  SessionCreatedSchema,
} from '../../contract/answer-types.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { engineRules, ModeSchema, RulesSchema } from '../../contract/session-setup.ts';
import type { ApiResponse } from '../../contract/transport.ts';
import { defaultRules } from '../../typing/rules/rules.ts';
import { charactersOf, isOneCharacter, isTypable } from '../../typing/rules/word.ts';
import { defaultRoundSetup, shownMode } from '../round/round-setup.ts';
import type { RoundStart } from '../round/round-view.ts';

/**
 * Why a request did not do its work. `away`: nobody answered, or the server is in trouble, so the same
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

/** Foreign text made safe for a terminal: without control characters, and of limited length. */
export function shownText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 200);
}

/** The problem that an answer reports: 408, 425, 429 and 5xx are temporary; other errors are not. */
export function problemOf({ status, body }: ApiResponse): ServerProblem {
  const { error, code: given } = Object(body) as Record<string, unknown>;
  const code = v.is(ErrorBodySchema.entries.code, given) ? given : undefined;
  if (status === 401) return new ServerProblem('refused', keyRefused, code);
  const passes = status >= 500 || status === 408 || status === 425 || status === 429;
  const kind = passes ? 'away' : 'refused';
  // A part of our sentences.
  const message = typeof error === 'string' ? shownText(error).replace(/\.$/, '') : '';
  return new ServerProblem(kind, message || `the server answered ${status}`, code);
}

/** Usually from a proxy with a password, because a typebadge server accepts every well-formed key. */
const keyRefused =
  'it asks for a login that play cannot give (401): it accepts no player key, or a password protects it';

export function parseSessionId(answer: unknown): string {
  const { session_id } = parse(SessionCreatedSchema, answer, 'session');
  if (/^[\w.-]{1,128}$/.test(session_id)) return session_id;
  throw unreadableAnswer('session');
}

/** Throws unless the server confirms that it has this round, which is then removed here. */
export function requireStored(answer: unknown, id: string): void {
  const parsed = v.safeParse(RoundUploadResultSchema, answer);
  if (!parsed.success || parsed.output.id !== id)
    throw new ServerProblem('refused', 'the server does not confirm that it has the round');
}

/** As servers call languages, layouts and modes. */
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const duration = v.pipe(v.number(), v.finite(), v.minValue(1));

/** Deeper lines would begin beyond the edge of the screen. */
const maxIndent = 40;
/** More than any alphabet has. */
const maxFocused = 100;

/** A server without extensions sends only words: it has one of everything else. */
const NewRoundSchema = v.object({
  ...v.pick(RoundSchema, ['words']).entries,
  round_id: v.fallback(v.pipe(v.string(), v.uuid()), ''),
  rules: v.fallback(v.pipe(RulesSchema, v.transform(engineRules)), defaultRules),
  mode: v.fallback(v.pipe(ModeSchema, v.transform(shownMode)), defaultRoundSetup.mode),
  language: v.fallback(id, defaultRoundSetup.language),
  layout: v.fallback(id, defaultRoundSetup.layout),
  line_ends: v.fallback(v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), []),
  indents: v.fallback(
    v.array(
      v.pipe(
        v.number(),
        v.minValue(0),
        v.transform((columns) => Math.min(maxIndent, Math.floor(columns))),
      ),
    ),
    [],
  ),
  source: v.fallback(v.pipe(v.string(), v.transform(shownText)), ''),
  focus: v.fallback(
    v.array(
      v.object({
        text: v.pipe(v.string(), v.regex(/^[\p{L}\p{M}'-]{1,8}$/u)),
        ms: v.nullable(duration),
        target_ms: duration,
      }),
    ),
    [],
  ),
});

/** What a server says of a new round; its id is empty if the server has none for it. */
export type ParsedRound = Omit<RoundStart, 'punctuation'>;

export function parseRound(answer: unknown): ParsedRound {
  const round = parse(NewRoundSchema, answer, 'round');
  const words = checkedWords(round.words);
  const { mode, language, layout, indents, source } = round;
  const { limits } = defaultRoundSetup;
  const lineEnds = round.line_ends.filter((at) => at < words.length);
  const focus = round.focus
    .slice(0, maxFocused)
    .map(({ text, ms, target_ms }) => ({ text, ms, targetMs: target_ms }));
  return {
    id: round.round_id,
    words,
    rules: round.rules,
    roundSetup: { mode, language, layout, lineEnds, indents, focus, source, limits },
  };
}

/** The longest test has 3,000 words, the longest text 10,000 characters. */
const maxWords = 10_000;
const maxWordLength = 10_000;
/**
 * Of all words together, in UTF-16 units, as many as a server takes in an uploaded round. Each key looks at
 * all of them to find its row, and a longer text of combined characters would freeze the screen for seconds
 * while it is split into characters.
 */
const maxCharacters = 40_000;

function checkedWords(words: readonly string[]): readonly string[] {
  const characters = words.reduce((sum, { length }) => sum + length, 0);
  const isBounded = words.length >= 1 && words.length <= maxWords && characters <= maxCharacters;
  if (isBounded && words.every(isWord)) return words;
  throw unreadableAnswer('round');
}

function isWord(word: string): boolean {
  if (word.length < 1 || word.length > maxWordLength) return false;
  return /^[\x21-\x7e\p{L}]+$/u.test(word) || charactersOf(word).every(isTypable);
}

/** What a server without extensions leaves out. */
const noAdditions: Partial<HistoricalStatistics> = {
  best_standard_wpm: 0,
  average_standard_wpm: 0,
  average_consistency: 0,
  bigrams: {},
  rounds_not_counted: 0,
};

export function parseHistory(answer: unknown): HistoricalStatistics {
  const given = { ...noAdditions, ...requireObject(answer, 'statistics') };
  const history = parse(HistoricalStatisticsSchema, given, 'list of statistics');
  return {
    ...history,
    letter_accuracy: named(history.letter_accuracy),
    letter_seek_time: named(history.letter_seek_time),
    finger_stats: named(history.finger_stats),
    row_stats: named(history.row_stats),
    error_patterns: history.error_patterns.slice(0, 50).map(({ expected, typed, count }) => ({
      expected: shownText(expected).slice(0, 2),
      typed: shownText(typed).slice(0, 2),
      count,
    })),
    bigrams: named(history.bigrams),
  };
}

/** Of letters or pairs of any language, or digits of fingers or rows. */
function named<Entry>(record: Readonly<Record<string, Entry>>): Record<string, Entry> {
  const entries = Object.entries(record).filter(([name]) => /^[\p{L}\d]{1,2}$/u.test(name));
  return Object.fromEntries(entries.slice(0, 100));
}

function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
  what: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, requireObject(answer, what));
  if (parsed.success) return parsed.output;
  throw unreadableAnswer(what);
}

function requireObject(answer: unknown, what: string): Record<string, unknown> {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer))
    return answer as Record<string, unknown>;
  throw unreadableAnswer(what);
}

function unreadableAnswer(what: string): ServerProblem {
  return new ServerProblem('refused', `the server sent a ${what} that this client does not understand`);
}

/** One visible character: what the cells of a terminal can show. */
const key = v.pipe(v.string(), v.check(isOneCharacter));

/** Empty if the server does not tell. */
const offerName = v.fallback(
  v.pipe(
    v.string(),
    v.transform((name) => shownText(name).slice(0, 60)),
  ),
  '',
);

const LanguageSchema = v.object({
  id,
  name: offerName,
  /** The letters of a language; undefined if the server does not tell. */
  alphabet: v.fallback(v.optional(v.pipe(v.string(), v.transform(shownText))), undefined),
});

const row = v.pipe(v.array(key), v.maxLength(16), v.readonly());
const RowsSchema = v.pipe(v.array(row), v.maxLength(4), v.readonly());

const LayoutSchema = v.object({
  id,
  name: offerName,
  /** Unshifted characters: top, home, bottom and number row; missing if the server sends none. */
  rows: v.fallback(v.optional(RowsSchema), undefined),
  /** Character to finger, as in `fingerNames`. */
  fingers: v.fallback(
    v.optional(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9)))),
    undefined,
  ),
});

/** The languages and layouts of a server. */
export interface Catalog {
  readonly languages: readonly v.InferOutput<typeof LanguageSchema>[];
  readonly layouts: readonly v.InferOutput<typeof LayoutSchema>[];
}

export function parseLanguages(answer: unknown): Catalog['languages'] {
  return offersIn(LanguageSchema, Object(answer).languages);
}

export function parseLayouts(answer: unknown): Catalog['layouts'] {
  return offersIn(LayoutSchema, Object(answer).layouts);
}

/** Entries of a list beyond this are ignored. */
const maxOffers = 1000;

/** The offers in a list that may come from any program; what is not an offer is skipped. */
function offersIn<Offer extends { readonly id: string; readonly name: string }>(
  schema: v.GenericSchema<unknown, Offer>,
  list: unknown,
): Offer[] {
  return (Array.isArray(list) ? list.slice(0, maxOffers) : []).flatMap((each: unknown) => {
    const parsed = v.safeParse(schema, each);
    return parsed.success ? [{ ...parsed.output, name: parsed.output.name || parsed.output.id }] : [];
  });
}

// The server may be any program at any address: what it says is checked by the contract's schemas before it is believed,
// and bounded before it is drawn.
import * as v from 'valibot';
import { readStatistics } from '../../contract/answer-reader.ts';
import {
  ErrorBodySchema,
  type HistoricalStatistics,
  HistoricalStatisticsSchema,
  InputResponseSchema,
  RoundKeptSchema,
  RoundSchema,
  SessionCreatedSchema,
  SuccessSchema,
} from '../../contract/answer-types.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { engineRules, ModeSchema, RulesSchema } from '../../contract/session-setup.ts';
import type { ApiResponse } from '../../contract/transport.ts';
import { defaultRules, type Rules } from '../../typing/rules/rules.ts';
import { charactersOf, isOneCharacter, isTypable } from '../../typing/rules/word.ts';
import { type Focus, type Practised, toShownMode, usualPractised } from '../round/practised.ts';

/**
 * Why a request did not do its work. `away`: nobody answered, or the server is in trouble, so the same request may
 * succeed later. `refused`: the server understood and said no, so the same request would be refused again. `foreign`: something
 * else answered in its place, such as the login page of a network or a proxy; that may end, but not while the typist waits.
 */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  constructor(
    readonly kind: 'away' | 'refused' | 'foreign',
    message: string,
    /** The code of the API's error body; undefined if there was none, or none that the contract knows. */
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}

/** Text from elsewhere, safe to put on a terminal: no control characters, and not endless. */
export function shownText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 200);
}

/** The problem that an answer tells: 408, 425, 429 and everything from 500 pass by themselves; the other errors stay as they are. */
export function problemOf({ status, body }: ApiResponse): ServerProblem {
  const { error, code: given } = Object(body) as Record<string, unknown>;
  const code = v.is(ErrorBodySchema.entries.code, given) ? given : undefined;
  const isOfApi = typeof given === 'string'; // a code that we do not know is of a later version
  if (status === 401) return new ServerProblem(isOfApi ? 'refused' : 'foreign', keyRefused, code);
  if (code === 'SESSION_LIMIT_REACHED') {
    return new ServerProblem('away', status === 429 ? ownSessionsOpen : serverFull, code);
  }
  const passes = status >= 500 || status === 408 || status === 425 || status === 429;
  const kind = passes ? 'away' : isOfApi ? 'refused' : 'foreign';
  // A part of our sentences.
  const message = typeof error === 'string' ? shownText(error).replace(/\.$/, '') : '';
  return new ServerProblem(kind, message || `the server answered ${status}`, code);
}

/** Mostly from a proxy that asks for a password, since a typebadge server takes every key of the right shape. */
const keyRefused =
  'it asks for a login that play cannot give (401): it accepts no player key, or a password protects it';
/** Nobody who plays sees sessions, or could delete one. */
const ownSessionsOpen = 'too many of your rounds are open there; leave play in another window';
const serverFull = 'too many people practise there';

export function parseSessionId(answer: unknown): string {
  const { session_id } = parse(SessionCreatedSchema, answer, 'session');
  if (/^[\w.-]{1,128}$/.test(session_id)) return session_id;
  throw misfit('session');
}

/** Throws unless the server says that it has this round: nothing else may be taken for its word, since the round is then removed here. */
export function requireKept(answer: unknown, id: string): void {
  const parsed = v.safeParse(RoundKeptSchema, answer);
  if (!parsed.success || parsed.output.id !== id) throw notKept();
}

/** Throws unless the server says that it has done it. Our servers say no with an error, so that a false is of something else. */
export function requireSuccess(answer: unknown): void {
  const parsed = v.safeParse(SuccessSchema, answer);
  if (!parsed.success || !parsed.output.success) throw notKept();
}

/** Throws unless the server gives a result for each of `count` inputs. */
export function requireResults(answer: unknown, count: number): void {
  const parsed = v.safeParse(InputResponseSchema, answer);
  if (!parsed.success || parsed.output.results.length !== count) throw notKept();
}

function notKept(): ServerProblem {
  return new ServerProblem('foreign', 'the server does not say that it has the round');
}

/** A new round as its server tells it. */
export interface ParsedRound {
  /** A UUID; the server's own id if that is none. */
  readonly id: string;
  readonly words: readonly string[];
  readonly rules: Rules;
  readonly practised: Practised;
}

const WordsSchema = v.pick(RoundSchema, ['words']);

/** A server without extensions sends neither rules nor mode: it has one of each. */
export function parseRound(answer: unknown): ParsedRound {
  const { words } = parse(WordsSchema, answer, 'round');
  const round = requireObject(answer, 'round');
  const parsed = v.safeParse(RulesSchema, round.rules);
  return {
    id: typeof round.round_id === 'string' ? round.round_id : '',
    words: checkedWords(words),
    rules: parsed.success ? engineRules(parsed.output) : defaultRules,
    practised: practisedOf(round, words.length),
  };
}

function practisedOf(
  { mode, language, layout, line_ends, indents, focus }: Record<string, unknown>,
  words: number,
): Practised {
  const parsed = v.safeParse(ModeSchema, mode);
  return {
    mode: parsed.success ? toShownMode(parsed.output) : usualPractised.mode,
    language: nameOr(language, usualPractised.language),
    layout: nameOr(layout, usualPractised.layout),
    lineEnds: Array.isArray(line_ends)
      ? line_ends.filter((at) => Number.isSafeInteger(at) && at >= 0 && at < words)
      : [],
    indents: Array.isArray(indents) ? indents.map(parseIndent) : [],
    focus: Array.isArray(focus) ? focus.slice(0, maxFocused).flatMap(parseFocus) : [],
    limits: usualPractised.limits,
  };
}

/** No alphabet is longer. */
const maxFocused = 100;

const FocusSchema = v.object({
  text: v.pipe(v.string(), v.regex(/^[\p{L}\p{M}'-]{1,8}$/u)),
  ms: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(1))),
  target_ms: v.pipe(v.number(), v.finite(), v.minValue(1)),
});

function parseFocus(parsed: unknown): Focus[] {
  const read = v.safeParse(FocusSchema, parsed);
  if (!read.success) return [];
  const { text, ms, target_ms: targetMs } = read.output;
  return [{ text, ms, targetMs }];
}

/** Deeper lines would begin beyond the edge of the screen. */
const maxIndent = 40;

function parseIndent(parsed: unknown): number {
  return typeof parsed === 'number' && parsed >= 0 ? Math.min(maxIndent, Math.floor(parsed)) : 0;
}

function nameOr(value: unknown, usual: string): string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : usual;
}

/** The longest test has 3,000 words, the longest text 10,000 characters. */
const maxWords = 10_000;
const maxWordLength = 10_000;
/**
 * Of all words together, in UTF-16 units, as many as a server takes in an uploaded round. Each key looks at all of them to find
 * its row, and a longer text of combined characters would freeze the screen for seconds while it is split into characters.
 */
const maxCharacters = 40_000;

function checkedWords(words: readonly string[]): readonly string[] {
  const characters = words.reduce((sum, { length }) => sum + length, 0);
  const isBounded = words.length >= 1 && words.length <= maxWords && characters <= maxCharacters;
  if (isBounded && words.every(isWord)) return words;
  throw misfit('round');
}

function isWord(word: string): boolean {
  if (word.length < 1 || word.length > maxWordLength) return false;
  return /^[\x21-\x7e\p{L}]+$/u.test(word) || charactersOf(word).every(isTypable);
}

export function parseHistory(answer: unknown): HistoricalStatistics {
  const history = readStatistics(HistoricalStatisticsSchema, requireObject(answer, 'statistics'));
  return {
    ...history,
    letter_accuracy: withNames(history.letter_accuracy, oneKey),
    letter_seek_time: withNames(history.letter_seek_time, oneKey),
    finger_stats: withNames(history.finger_stats, oneKey),
    row_stats: withNames(history.row_stats, oneKey),
    error_patterns: history.error_patterns.slice(0, 50).map(({ expected, typed, count }) => ({
      expected: shownText(expected).slice(0, 2),
      typed: shownText(typed).slice(0, 2),
      count,
    })),
    bigrams: withNames(history.bigrams, letterPair),
  };
}

/** A letter of any language, or the digit of a finger or row. */
const oneKey = /^[\p{L}\d]$/u;
/** Of any language. */
const letterPair = /^\p{L}{2}$/u;

function withNames<Entry>(record: Readonly<Record<string, Entry>>, names: RegExp): Record<string, Entry> {
  const entries = Object.entries(record).filter(([name]) => names.test(name));
  return Object.fromEntries(entries.slice(0, 100));
}

function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
  what: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, requireObject(answer, what));
  if (parsed.success) return parsed.output;
  throw misfit(what);
}

function requireObject(answer: unknown, what: string): Record<string, unknown> {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer))
    return answer as Record<string, unknown>;
  throw misfit(what);
}

function misfit(what: string): ServerProblem {
  return new ServerProblem('refused', `the server sent a ${what} that this client does not understand`);
}

/** Something that the server can practise in. */
export interface Offer {
  readonly id: string;
  readonly name: string;
  /** The letters of a language; undefined if the server does not tell. */
  readonly alphabet: string | undefined;
}

/** A layout with what a drawing of it needs. */
export interface LayoutOffer extends Omit<Offer, 'alphabet'> {
  /** Unshifted characters: top, home, bottom and number row; missing where the server sends none. */
  readonly rows?: readonly (readonly string[])[];
  /** Character to finger, as in `fingerNames`. */
  readonly fingers?: Readonly<Record<string, number>>;
}

/** The languages and layouts of a server. */
export interface Catalog {
  readonly languages: readonly Offer[];
  readonly layouts: readonly LayoutOffer[];
}

/** Longer lists help nobody. */
const maxOffers = 1000;

/** The offers in an answer that may come from any program; what is not an offer is skipped. */
export function parseOffers(answer: unknown, list: 'languages' | 'layouts'): Offer[] {
  const offers: unknown = (answer as Readonly<Record<string, unknown>> | null | undefined)?.[list];
  if (!Array.isArray(offers)) return [];
  return offers.slice(0, maxOffers).flatMap((offer: unknown) => {
    const { id, name, alphabet } = Object(offer) as Readonly<Record<string, unknown>>;
    if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return [];
    return [
      {
        id,
        name: typeof name === 'string' ? shownText(name).slice(0, 60) : id,
        alphabet: typeof alphabet === 'string' ? shownText(alphabet) : undefined,
      },
    ];
  });
}

/** The layouts in an answer: their drawings are passed over where they are none, for any program may have sent it. */
export function parseLayouts(answer: unknown): LayoutOffer[] {
  const layouts: unknown = (answer as Readonly<Record<string, unknown>> | null | undefined)?.layouts;
  const byId = new Map(
    (Array.isArray(layouts) ? layouts.slice(0, maxOffers) : []).map((layout: unknown) => [
      (layout as { readonly id?: unknown } | null)?.id,
      v.safeParse(DrawingSchema, layout),
    ]),
  );
  return parseOffers(answer, 'layouts').map((offer) => {
    const drawing = byId.get(offer.id);
    return { ...offer, ...(drawing?.success ? drawing.output : {}) };
  });
}

/** One visible character: what the cells of a terminal can show. */
const key = v.pipe(v.string(), v.check(isOneCharacter));

const DrawingSchema = v.object({
  rows: v.pipe(v.array(v.pipe(v.array(key), v.maxLength(16))), v.maxLength(4)),
  fingers: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9))),
});

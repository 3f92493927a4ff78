// The server may be any program at any address: what it says is checked by the contract's schemas before it is believed,
// and bounded before it is drawn.
import * as v from 'valibot';
import { readStatistics } from '../../../contract/answer-reader.ts';
import {
  type GameState,
  GameStateSchema,
  InputResponseSchema,
  RoundKeptSchema,
  RoundSchema,
  SessionCreatedSchema,
  SuccessSchema,
} from '../../../contract/answer-types.ts';
import { ModeSchema, RulesSchema, toEngineRules } from '../../../contract/session-setup.ts';
import {
  type HistoricalStatistics,
  HistoricalStatisticsSchema,
  type SessionStatistics,
  SessionStatisticsSchema,
} from '../../../contract/statistics-types.ts';
import { isTypable } from '../../../typing/rules/character.ts';
import { defaultRules, type Rules } from '../../../typing/rules/rules.ts';
import { toCharacters } from '../../../typing/rules/word.ts';
import { type Focus, type Practised, toShownMode, usualPractised } from '../../round/practised.ts';
import { ServerProblem, toShownText } from './server-problem.ts';

export function parseSessionId(answer: unknown): string {
  const { session_id } = parse(SessionCreatedSchema, answer, 'session');
  if (/^[\w.-]{1,128}$/.test(session_id)) return session_id;
  throw toMisfit('session');
}

/** Throws unless the server says that it has this round: nothing else may be taken for its word, since the round is then removed here. */
export function expectKept(answer: unknown, id: string): void {
  const told = v.safeParse(RoundKeptSchema, answer);
  if (!told.success || told.output.id !== id) throw toNotKept();
}

/** Throws unless the server says that it has done it. Our servers say no with an error, so that a false is of something else. */
export function expectSuccess(answer: unknown): void {
  const told = v.safeParse(SuccessSchema, answer);
  if (!told.success || !told.output.success) throw toNotKept();
}

/** Throws unless the server gives a result for each of `count` inputs. */
export function expectResults(answer: unknown, count: number): void {
  const told = v.safeParse(InputResponseSchema, answer);
  if (!told.success || told.output.results.length !== count) throw toNotKept();
}

function toNotKept(): ServerProblem {
  return new ServerProblem('foreign', 'the server does not say that it has the round');
}

export interface StartedRound {
  readonly words: readonly string[];
  readonly rules: Rules;
  readonly practised: Practised;
}

const WordsSchema = v.pick(RoundSchema, ['words']);

/** A server without extensions sends neither rules nor mode: it has one of each. */
export function parseRound(answer: unknown): StartedRound {
  const { words } = parse(WordsSchema, answer, 'round');
  const round = toObject(answer, 'round');
  const told = v.safeParse(RulesSchema, round.rules);
  return {
    words: toWords(words),
    rules: told.success ? toEngineRules(told.output) : defaultRules,
    practised: toPractised(round, words.length),
  };
}

function toPractised(
  { mode, language, layout, line_ends, indents, focus }: Record<string, unknown>,
  words: number,
): Practised {
  const told = v.safeParse(ModeSchema, mode);
  return {
    mode: told.success ? toShownMode(told.output) : usualPractised.mode,
    language: toName(language, usualPractised.language),
    layout: toName(layout, usualPractised.layout),
    lineEnds: Array.isArray(line_ends)
      ? line_ends.filter((at) => Number.isSafeInteger(at) && at >= 0 && at < words)
      : [],
    indents: Array.isArray(indents) ? indents.map(toIndent) : [],
    focus: Array.isArray(focus) ? focus.slice(0, mostFocused).flatMap(toFocus) : [],
    limits: usualPractised.limits,
  };
}

/** No alphabet is longer. */
const mostFocused = 100;

const FocusSchema = v.object({
  text: v.pipe(v.string(), v.regex(/^[\p{L}\p{M}'-]{1,8}$/u)),
  ms: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(1))),
  target_ms: v.pipe(v.number(), v.finite(), v.minValue(1)),
});

function toFocus(told: unknown): Focus[] {
  const read = v.safeParse(FocusSchema, told);
  if (!read.success) return [];
  const { text, ms, target_ms: targetMs } = read.output;
  return [{ text, ms, targetMs }];
}

/** Deeper lines would begin beyond the edge of the screen. */
const deepestIndent = 40;

function toIndent(told: unknown): number {
  return typeof told === 'number' && told >= 0 ? Math.min(deepestIndent, Math.floor(told)) : 0;
}

function toName(value: unknown, usual: string): string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : usual;
}

/** What resuming a round needs of its state. */
export type ResumedState = Pick<GameState, 'words' | 'last_seq'>;
const ResumedStateSchema = v.pick(GameStateSchema, ['words', 'last_seq']);

export function parseGameState(answer: unknown): ResumedState {
  const state = parse(ResumedStateSchema, answer, 'state');
  toWords(state.words);
  return state;
}

/** The longest test has 3,000 words, the longest text 10,000 characters. */
const mostWords = 10_000;
const longestWord = 10_000;
/**
 * Of all words together, in UTF-16 units, as many as a server takes in an uploaded round. Each key looks at all of them to find
 * its row, and a longer text of combined characters would freeze the screen for seconds while it is split into characters.
 */
const mostCharacters = 40_000;

function toWords(words: readonly string[]): readonly string[] {
  const characters = words.reduce((sum, { length }) => sum + length, 0);
  const isBounded = words.length >= 1 && words.length <= mostWords && characters <= mostCharacters;
  if (isBounded && words.every(isWord)) return words;
  throw toMisfit('round');
}

function isWord(word: string): boolean {
  if (word.length < 1 || word.length > longestWord) return false;
  return /^[\x21-\x7e\p{L}]+$/u.test(word) || toCharacters(word).every(isTypable);
}

export function parseSessionStatistics(answer: unknown): SessionStatistics {
  const told = toObject(answer, 'statistics');
  // A server without extensions counts every round.
  return { ...readStatistics(SessionStatisticsSchema, told), counts: told.counts !== false };
}

export function parseHistory(answer: unknown): HistoricalStatistics {
  const history = readStatistics(HistoricalStatisticsSchema, toObject(answer, 'statistics'));
  return {
    ...history,
    letter_accuracy: withNames(history.letter_accuracy, oneKey),
    letter_seek_time: withNames(history.letter_seek_time, oneKey),
    finger_stats: withNames(history.finger_stats, oneKey),
    row_stats: withNames(history.row_stats, oneKey),
    error_patterns: history.error_patterns.slice(0, 50).map(({ expected, typed, count }) => ({
      expected: toShownText(expected).slice(0, 2),
      typed: toShownText(typed).slice(0, 2),
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
  const told = v.safeParse(schema, toObject(answer, what));
  if (told.success) return told.output;
  throw toMisfit(what);
}

function toObject(answer: unknown, what: string): Record<string, unknown> {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer))
    return answer as Record<string, unknown>;
  throw toMisfit(what);
}

function toMisfit(what: string): ServerProblem {
  return new ServerProblem('refused', `the server sent a ${what} that this client does not understand`);
}

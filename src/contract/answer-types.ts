// What the typing API answers about sessions and rounds. Types are inferred from the schemas; clients read answers by them.
import * as v from 'valibot';
import { count, nextPage, quantity, timestamp } from './answer-values.ts';
import { errorCodes } from './error-codes.ts';
import { ModeSchema, RulesSchema } from './session-setup.ts';

export const SessionCreatedSchema = v.object({ session_id: v.string() });
export type SessionCreated = v.InferOutput<typeof SessionCreatedSchema>;

export const SessionSummarySchema = v.object({ id: v.string(), created_at: timestamp, last_used: timestamp });
export type SessionSummary = v.InferOutput<typeof SessionSummarySchema>;

export const SessionListSchema = v.object({
  sessions: v.array(SessionSummarySchema),
  next: nextPage,
});
export type SessionList = v.InferOutput<typeof SessionListSchema>;

export const LanguageListSchema = v.object({
  languages: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      alphabet: v.pipe(v.string(), v.description('Its lower-case letters in NFC, one code unit each.')),
      words: count,
      quotes: count,
    }),
  ),
});
export type LanguageList = v.InferOutput<typeof LanguageListSchema>;

export const LayoutListSchema = v.object({
  layouts: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      rows: v.pipe(
        v.array(v.array(v.string())),
        v.description('Unshifted characters of the top, home, bottom and number row.'),
      ),
      fingers: v.record(v.string(), count),
    }),
  ),
});
export type LayoutList = v.InferOutput<typeof LayoutListSchema>;

export const HealthSchema = v.object({
  status: v.string(),
  active_sessions: count,
  store: v.exactOptional(
    v.pipe(
      v.picklist(['ok', 'away']),
      v.description('Of the store that servers share; missing where there is none.'),
    ),
  ),
});
export type Health = v.InferOutput<typeof HealthSchema>;

/** Entries of a round and its state beyond the original documents. */
const roundAdditions = {
  round_id: v.pipe(
    v.string(),
    v.description('An input may carry it; for another round it is refused with `ROUND_CHANGED`.'),
  ),
  mode: ModeSchema,
  language: v.string(),
  layout: v.string(),
  rules: RulesSchema,
  line_ends: v.exactOptional(
    v.pipe(
      v.array(count),
      v.description('Indices of the words that end a line; only where the text has lines.'),
    ),
  ),
};

export const RoundSchema = v.object({
  words: v.array(v.string()),
  total_words: count,
  total_characters: count,
  ...roundAdditions,
  indents: v.exactOptional(
    v.pipe(
      v.array(count),
      v.description('Columns that each line of `line_ends` begins with; they are given, not typed.'),
    ),
  ),
  focus: v.exactOptional(
    v.pipe(
      v.array(v.object({ text: v.string(), ms: v.nullable(v.number()), target_ms: v.number() })),
      v.description(
        "What the words were chosen for, in guided rounds and drills of bigrams: the player's own time for it (null: not known yet) and the one to reach, in milliseconds.",
      ),
    ),
  ),
});
export type Round = v.InferOutput<typeof RoundSchema>;

export const KeystrokeResultSchema = v.object({
  is_correct: v.boolean(),
  timer_started: v.boolean(),
  char_index: count,
});
export type KeystrokeResult = v.InferOutput<typeof KeystrokeResultSchema>;

export const BackspaceResultSchema = v.object({ success: v.boolean(), new_length: count });
export type BackspaceResult = v.InferOutput<typeof BackspaceResultSchema>;

export const SpaceResultSchema = v.object({
  advanced: v.boolean(),
  round_complete: v.boolean(),
  treated_as_error: v.boolean(),
});
export type SpaceResult = v.InferOutput<typeof SpaceResultSchema>;

/** One result per event of a batch, in the order of the events, each as its single endpoint would answer. */
export const InputResponseSchema = v.object({
  results: v.array(v.union([KeystrokeResultSchema, BackspaceResultSchema, SpaceResultSchema])),
});
export type InputResult = KeystrokeResult | BackspaceResult | SpaceResult;
export type InputResponse = v.InferOutput<typeof InputResponseSchema>;

/** Answer to an uploaded round. */
export const RoundKeptSchema = v.object({ id: v.string() });
export type RoundKept = v.InferOutput<typeof RoundKeptSchema>;

/** Answer to `timing` and `save`. */
export const SuccessSchema = v.object({ success: v.boolean() });
export type Success = v.InferOutput<typeof SuccessSchema>;

export const GameStateSchema = v.object({
  words: v.array(v.string()),
  current_word_idx: count,
  current_input: v.string(),
  timer_started: v.boolean(),
  punctuation_mode: v.boolean(),
  word_number: count,
  total_words: count,
  live_wpm: quantity,
  current_word: v.string(),
  previous_word: v.string(),
  next_word: v.string(),
  next_words: v.array(v.string()),
  last_seq: v.pipe(
    count,
    v.description('The highest seq taken in this round; 0 when no numbered input has arrived yet.'),
  ),
  ...roundAdditions,
});
export type GameState = v.InferOutput<typeof GameStateSchema>;

export const ErrorBodySchema = v.object({ error: v.string(), code: v.picklist(errorCodes) });
export type ErrorBody = v.InferOutput<typeof ErrorBodySchema>;

// The typing API on the wire: one schema per request and response. Types are inferred from the schemas, the
// published OpenAPI document is generated from them, and requests are checked with them.
import * as v from 'valibot';
import { isOneCharacter } from './typing/character.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const quantity = v.pipe(v.number(), v.minValue(0));
const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
const instant = v.pipe(
  v.number('must be a number of milliseconds since 1970'),
  v.integer('must be whole milliseconds since 1970'),
  v.minValue(0, 'must not lie before 1970'),
  v.maxValue(8_640_000_000_000_000, 'must not lie past the last date there is'),
);
const timestamp = v.pipe(v.string(), v.isoTimestamp());

const seekTime = v.pipe(
  v.number('must be a number of milliseconds'),
  v.integer('must be whole milliseconds'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(3_600_000, 'must be at most 3600000 (one hour)'),
  v.description('Milliseconds since the previous key; 0 or left out means "not measured".'),
);

const sequenceNumber = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be at least 1'),
  v.maxValue(Number.MAX_SAFE_INTEGER, 'is too large'),
  v.description(
    'Number of this input in its round: 1, 2, 3 … A repeated number changes nothing and gets the first answer again.',
  ),
);

const typedCharacter = v.pipe(
  v.string('must be a string of one character'),
  v.minLength(1, 'must be one character, but is empty'),
  v.maxLength(32, 'must be one character, but is longer'),
  v.check(isOneCharacter, 'must be exactly one visible character (spaces have an endpoint of their own)'),
  v.description('Exactly one user-perceived character; no white space, no control character.'),
);

// Requests

export const CreateSessionRequestSchema = v.object({
  punctuation_mode: v.exactOptional(v.boolean('must be true or false'), false),
});
export type CreateSessionRequest = v.InferInput<typeof CreateSessionRequestSchema>;

/** For endpoints that take nothing: an empty body, or an object of which nothing is looked at. */
export const EmptyRequestSchema = v.object({});

export const KeystrokeRequestSchema = v.object({
  char: typedCharacter,
  seek_time_ms: v.exactOptional(seekTime),
  seq: v.exactOptional(sequenceNumber),
});
export type KeystrokeRequest = v.InferOutput<typeof KeystrokeRequestSchema>;

export const BackspaceRequestSchema = v.object({ seq: v.exactOptional(sequenceNumber) });
export type BackspaceRequest = v.InferOutput<typeof BackspaceRequestSchema>;

export const SpaceRequestSchema = v.object({
  seek_time_ms: v.exactOptional(seekTime),
  seq: v.exactOptional(sequenceNumber),
});
export type SpaceRequest = v.InferOutput<typeof SpaceRequestSchema>;

export const InputEventSchema = v.variant(
  'type',
  [
    v.object({ type: v.literal('keystroke'), ...KeystrokeRequestSchema.entries }),
    v.object({ type: v.literal('backspace'), ...BackspaceRequestSchema.entries }),
    v.object({ type: v.literal('space'), ...SpaceRequestSchema.entries }),
  ],
  'must be "keystroke", "backspace" or "space"',
);
export type InputEvent = v.InferOutput<typeof InputEventSchema>;

export const InputRequestSchema = v.object({
  events: v.pipe(
    v.array(InputEventSchema, 'must be a list of events'),
    v.minLength(1, 'must hold at least one event'),
    v.maxLength(500, 'must hold at most 500 events'),
  ),
});
export type InputRequest = v.InferOutput<typeof InputRequestSchema>;

export const TimingRequestSchema = v.object({
  start_time_unix_ms: instant,
  end_time_unix_ms: instant,
  duration_ms: v.pipe(
    v.number('must be a number of milliseconds'),
    v.integer('must be whole milliseconds'),
    v.minValue(1, 'must be more than 0'),
    v.maxValue(86_400_000, 'must be at most 86400000 (24 hours)'),
  ),
});
export type TimingRequest = v.InferOutput<typeof TimingRequestSchema>;

// Responses

export const SessionCreatedSchema = v.object({ session_id: v.string() });
export type SessionCreated = v.InferOutput<typeof SessionCreatedSchema>;

export const SessionSummarySchema = v.object({ id: v.string(), created_at: timestamp, last_used: timestamp });
export type SessionSummary = v.InferOutput<typeof SessionSummarySchema>;

export const SessionListSchema = v.object({ sessions: v.array(SessionSummarySchema) });
export type SessionList = v.InferOutput<typeof SessionListSchema>;

export const HealthSchema = v.object({ status: v.string(), active_sessions: count });
export type Health = v.InferOutput<typeof HealthSchema>;

export const RoundSchema = v.object({
  words: v.array(v.string()),
  total_words: count,
  total_characters: count,
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

/** Answer of `timing` and `save`. */
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
});
export type GameState = v.InferOutput<typeof GameStateSchema>;

export const SessionStatisticsSchema = v.object({
  wpm: quantity,
  accuracy: percent,
  time_seconds: quantity,
  correct_chars: count,
  total_chars: count,
  is_new_best_wpm: v.boolean(),
  is_new_best_accuracy: v.boolean(),
  is_new_best_time: v.boolean(),
});
export type SessionStatistics = v.InferOutput<typeof SessionStatisticsSchema>;

export const LetterStatsSchema = v.object({
  presented: count,
  correct: count,
  accuracy: v.exactOptional(percent),
});
export type LetterStats = v.InferOutput<typeof LetterStatsSchema>;

export const SeekTimeStatsSchema = v.object({
  total_time_ms: count,
  count,
  average_ms: v.exactOptional(quantity),
});
export type SeekTimeStats = v.InferOutput<typeof SeekTimeStatsSchema>;

export const HistoricalStatisticsSchema = v.object({
  best_wpm: quantity,
  best_accuracy: percent,
  best_time: quantity,
  average_wpm: quantity,
  average_accuracy: percent,
  average_time: quantity,
  total_sessions: count,
  letter_accuracy: v.record(v.string(), LetterStatsSchema),
  letter_seek_time: v.record(v.string(), SeekTimeStatsSchema),
  finger_stats: v.record(v.string(), LetterStatsSchema),
  row_stats: v.record(v.string(), LetterStatsSchema),
  hand_balance: v.object({ left: percent, right: percent }),
  alternation_rate: percent,
  sfb_stats: v.object({ count, average_ms: quantity }),
  rhythm_stddev: quantity,
  error_patterns: v.array(v.object({ expected: v.string(), typed: v.string(), count })),
});
export type HistoricalStatistics = v.InferOutput<typeof HistoricalStatisticsSchema>;

/** Every code an answer of this API may carry. */
const errorCodes = [
  'SESSION_NOT_FOUND',
  'ROUND_NOT_STARTED',
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'ORIGIN_NOT_ALLOWED',
  'HOST_NOT_ALLOWED',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'SESSION_LIMIT_REACHED',
] as const;

export const ErrorBodySchema = v.object({ error: v.string(), code: v.picklist(errorCodes) });
export type ErrorBody = v.InferOutput<typeof ErrorBodySchema>;

// The typing API on the wire: one schema per request and response. Types are inferred from the schemas, the
// published OpenAPI document is generated from them, and requests are checked with them.
import * as v from 'valibot';
import { isOneCharacter, longestCharacter } from '../typing/rules/character.ts';
import { errorCodes } from './error-codes.ts';
import { ModeSchema, practiceEntries, RulesSchema, UploadedModeSchema } from './session-setup.ts';

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
  v.maxLength(longestCharacter, 'must be one character, but is longer'),
  v.check(isOneCharacter, 'must be exactly one visible character (spaces have an endpoint of their own)'),
  v.description('Exactly one user-perceived character; no white space, no control character.'),
);

const roundId = v.pipe(
  v.string('must be a text'),
  v.maxLength(64, 'is too long'),
  v.description('The round that this input is for: `round_id` of its start. For another one it is refused.'),
);

// Requests

export const CreateSessionRequestSchema = v.object({
  punctuation_mode: v.exactOptional(v.boolean('must be true or false'), false),
  ...practiceEntries,
});
export type { Rules } from './session-setup.ts';
export type CreateSessionRequest = v.InferInput<typeof CreateSessionRequestSchema>;

/** For endpoints that take nothing: an empty body, or an object of which nothing is looked at. */
export const EmptyRequestSchema = v.object({});

export const KeystrokeRequestSchema = v.object({
  char: typedCharacter,
  seek_time_ms: v.exactOptional(seekTime),
  seq: v.exactOptional(sequenceNumber),
  round_id: v.exactOptional(roundId),
});
export type KeystrokeRequest = v.InferOutput<typeof KeystrokeRequestSchema>;

export const BackspaceRequestSchema = v.object({
  seq: v.exactOptional(sequenceNumber),
  round_id: v.exactOptional(roundId),
});
export type BackspaceRequest = v.InferOutput<typeof BackspaceRequestSchema>;

export const SpaceRequestSchema = v.object({
  char: v.exactOptional(
    v.pipe(
      v.picklist([' ', '\n'], 'must be a space or a line feed'),
      v.description('A line feed may stand for the space at the end of a line.'),
    ),
  ),
  seek_time_ms: v.exactOptional(seekTime),
  seq: v.exactOptional(sequenceNumber),
  round_id: v.exactOptional(roundId),
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

/** Entries of a list that one answer may hold, unless all are asked for. */
export const longestPage = 1_000;

export const PageQuerySchema = v.object({
  limit: v.exactOptional(
    v.pipe(
      v.number(`must be a whole number from 1 to ${longestPage}`),
      v.integer(`must be a whole number from 1 to ${longestPage}`),
      v.minValue(1, `must be a whole number from 1 to ${longestPage}`),
      v.maxValue(longestPage, `must be a whole number from 1 to ${longestPage}`),
      v.description('How many entries at most.'),
    ),
  ),
  after: v.exactOptional(
    v.pipe(
      v.string('must be an id as the list shows it'),
      v.regex(
        /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
        'must be an id as the list shows it',
      ),
      v.description('Only what comes after the entry with this id: `next` of the answer before.'),
    ),
  ),
});

/** Of the words of a round, in UTF-16 units: 3,200 words of twelve letters, and four times as much as a text of one's own. */
const longestUpload = 40_000;

/** A whole round that was typed elsewhere. */
export const RoundUploadSchema = v.object({
  id: v.pipe(v.string('must be a UUID'), v.uuid('must be a UUID')),
  words: v.pipe(
    v.array(
      v.pipe(v.string('must be a word'), v.regex(/^\S{1,10000}$/u, 'must be a word without white space')),
      'must be a list of words',
    ),
    v.minLength(1, 'must hold at least one word'),
    v.maxLength(3200, 'must hold at most 3200 words'),
    v.check(
      (words) => words.reduce((sum, { length }) => sum + length, 0) <= longestUpload,
      `must hold at most ${longestUpload} characters together`,
    ),
  ),
  ...practiceEntries,
  mode: v.exactOptional(UploadedModeSchema, { type: 'words', count: 30 }),
  punctuation_mode: v.exactOptional(v.boolean('must be true or false'), false),
  events: v.pipe(
    v.array(InputEventSchema, 'must be a list of events'),
    v.minLength(1, 'must hold at least one event'),
    v.maxLength(20_000, 'must hold at most 20000 events'),
  ),
  ...TimingRequestSchema.entries,
});
export type RoundUpload = v.InferInput<typeof RoundUploadSchema>;

// Responses

export const SessionCreatedSchema = v.object({ session_id: v.string() });
export type SessionCreated = v.InferOutput<typeof SessionCreatedSchema>;

export const SessionSummarySchema = v.object({ id: v.string(), created_at: timestamp, last_used: timestamp });
export type SessionSummary = v.InferOutput<typeof SessionSummarySchema>;

const nextPage = v.exactOptional(
  v.pipe(v.string(), v.description('Ask again with `after` set to this id: more follow.')),
);

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

const modeName = /^(?:words-\d{1,3}|time-\d{1,3}|text|quote|code-[a-z]{1,20}|drill|guided|all)$/;

/** Which rounds the historical statistics are over. */
export const HistoryQuerySchema = v.object({
  mode: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(modeName, 'must be words-N, time-N, text, quote, code-LANGUAGE, drill, guided or all'),
    ),
  ),
  language: v.exactOptional(v.pipe(v.string(), v.maxLength(64, 'is too long'))),
  layout: v.exactOptional(v.pipe(v.string(), v.maxLength(64, 'is too long'))),
});

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

/** What a round and its state say beyond the documents. */
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

/** Answer of an uploaded round. */
export const RoundKeptSchema = v.object({ id: v.string() });
export type RoundKept = v.InferOutput<typeof RoundKeptSchema>;

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
  ...roundAdditions,
});
export type GameState = v.InferOutput<typeof GameStateSchema>;

/** What one round gives, whenever it is looked at. */
const scoreEntries = {
  wpm: quantity,
  accuracy: percent,
  time_seconds: quantity,
  correct_chars: count,
  total_chars: count,
  standard_wpm: v.pipe(
    quantity,
    v.description(
      '(characters of the transcribed text - 1) / 5 per minute, spaces between words included (Soukoreff & MacKenzie 2003).',
    ),
  ),
  raw_wpm: v.pipe(
    quantity,
    v.description(
      'All characters typed / 5 per minute: wrong, deleted and repeated ones and the spaces between words too.',
    ),
  ),
  consistency: v.pipe(
    v.nullable(percent),
    v.description(
      '100·(1 - tanh(c + c³/3 + c⁵/5)), c = population standard deviation / mean of the raw speeds of the seconds, as in monkeytype; the rest after the last whole second counts from half a second on. Null below two seconds of measured typing.',
    ),
  ),
  corrected_error_rate: v.pipe(percent, v.description('IF / (C + INF + IF): every deleted character is IF.')),
  uncorrected_error_rate: v.pipe(
    percent,
    v.description('INF / (C + INF + IF): wrong characters left in the text, and omitted ones.'),
  ),
  total_error_rate: v.pipe(percent, v.description('(INF + IF) / (C + INF + IF).')),
  kspc: v.pipe(
    quantity,
    v.description('Keystrokes per character: (C + INF + IF + F) / (C + INF), F = backspaces.'),
  ),
  omitted_chars: count,
  measured_share: v.pipe(
    quantity,
    v.maxValue(1),
    v.description(
      'Share of the intervals that were measured. An interval is a right keystroke that is not the first of its word.',
    ),
  ),
  counts: v.pipe(
    v.boolean(),
    v.description('Whether the round counts for bests, averages, letters and the choice of words.'),
  ),
  counts_reason: v.pipe(
    v.nullable(v.picklist(['unmeasured', 'too_fast', 'drill'])),
    v.description(
      'Why it does not: `unmeasured`: some, but less than half of its intervals were measured; `too_fast`: a standard_wpm above 350; `drill`. Null where it counts.',
    ),
  ),
};

export const SessionStatisticsSchema = v.object({
  ...scoreEntries,
  is_new_best_wpm: v.boolean(),
  is_new_best_accuracy: v.boolean(),
  is_new_best_time: v.boolean(),
});
export type SessionStatistics = v.InferOutput<typeof SessionStatisticsSchema>;

export const RoundSummarySchema = v.object({
  id: v.string(),
  completed_at: timestamp,
  mode: v.pipe(v.string(), v.description('Such as `words-30`.')),
  language: v.string(),
  layout: v.string(),
  ...scoreEntries,
});
export type RoundSummary = v.InferOutput<typeof RoundSummarySchema>;

export const RoundListSchema = v.object({ rounds: v.array(RoundSummarySchema), next: nextPage });
export type RoundList = v.InferOutput<typeof RoundListSchema>;

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
  best_standard_wpm: quantity,
  average_standard_wpm: quantity,
  average_consistency: v.pipe(percent, v.description('Over the rounds that have one.')),
  bigrams: v.pipe(
    v.record(v.string(), v.object({ count, average_ms: quantity })),
    v.description('The 100 most frequent pairs of letters, with the mean seek time of the second letter.'),
  ),
  rounds_not_counted: count,
});
export type HistoricalStatistics = v.InferOutput<typeof HistoricalStatisticsSchema>;

export const ErrorBodySchema = v.object({ error: v.string(), code: v.picklist(errorCodes) });
export type ErrorBody = v.InferOutput<typeof ErrorBodySchema>;

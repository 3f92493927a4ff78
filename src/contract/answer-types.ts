import * as v from 'valibot';
import { labelEntries } from '../typing/labels.ts';
import { errorCodes } from './error-codes.ts';
import { ModeSchema, RulesSchema } from './session-setup.ts';
import { count, described, nextPage, optional, percent, quantity, timestamp } from './values.ts';

// The answers of the typing API. Types are inferred from the schemas, which clients parse answers with.

export const SessionCreatedSchema = v.object({ session_id: v.string() });
export type SessionCreated = v.InferOutput<typeof SessionCreatedSchema>;

export const SessionSummarySchema = v.object({ id: v.string(), created_at: timestamp, last_used: timestamp });

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
      alphabet: described(v.string(), 'Its lower-case letters in NFC, one code unit each.'),
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
      rows: described(
        v.array(v.array(v.string())),
        'Unshifted characters of the top, home, bottom and number row.',
      ),
      fingers: v.record(v.string(), count),
    }),
  ),
});
export type LayoutList = v.InferOutput<typeof LayoutListSchema>;

export const HealthSchema = v.object({
  status: v.string(),
  active_sessions: count,
  store: optional(
    v.picklist(['ok', 'away']),
    'Of the store that servers share; missing where there is none.',
  ),
});
export type Health = v.InferOutput<typeof HealthSchema>;

const roundAdditions = {
  round_id: described(
    v.pipe(v.string(), v.uuid()),
    'An input may carry it; for another round it is refused with `ROUND_CHANGED`.',
  ),
  mode: ModeSchema,
  language: v.string(),
  layout: v.string(),
  rules: RulesSchema,
  line_ends: optional(v.array(count), 'Indices of the words that end a line; only where the text has lines.'),
};

export const RoundSchema = v.object({
  words: v.array(v.string()),
  total_words: count,
  total_characters: count,
  ...roundAdditions,
  indents: optional(
    v.array(count),
    'Columns that each line of `line_ends` begins with; they are shown, not typed.',
  ),
  source: optional(v.pipe(v.string(), v.maxLength(300)), 'Who said a quote, or where it is from.'),
  focus: optional(
    v.array(v.object({ text: v.string(), ms: v.nullable(v.number()), target_ms: v.number() })),
    "What the words were chosen for, in guided rounds and drills of bigrams: the player's time for it (null: not known yet) and the one to reach, in milliseconds.",
  ),
});
export type Round = v.InferOutput<typeof RoundSchema>;

export const KeystrokeResultSchema = v.object({
  is_correct: v.boolean(),
  timer_started: v.boolean(),
  char_index: count,
});

export const BackspaceResultSchema = v.object({ success: v.boolean(), new_length: count });

export const SpaceResultSchema = v.object({
  advanced: v.boolean(),
  round_complete: v.boolean(),
  treated_as_error: v.boolean(),
});

/** One result per event of a batch, in the order of the events, each as its single endpoint would answer. */
export const InputResponseSchema = v.object({
  results: v.array(v.union([KeystrokeResultSchema, BackspaceResultSchema, SpaceResultSchema])),
});
export type InputResponse = v.InferOutput<typeof InputResponseSchema>;
export type InputResult = InputResponse['results'][number];

export const RoundUploadResultSchema = v.object({ id: v.string() });
export type RoundUploadResult = v.InferOutput<typeof RoundUploadResultSchema>;

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
  last_seq: described(
    count,
    'The highest seq accepted in this round; 0 when no numbered input has arrived yet.',
  ),
  ...roundAdditions,
});
export type GameState = v.InferOutput<typeof GameStateSchema>;

export const ErrorBodySchema = v.object({ error: v.string(), code: v.picklist(errorCodes) });
export type ErrorBody = v.InferOutput<typeof ErrorBodySchema>;

/* Speed and accuracy, of one round and of many. */

const scoreEntries = {
  wpm: described(
    quantity,
    'Right keystrokes / 5 per minute, without the spaces between words; what typing tests call WPM is `standard_wpm`.',
  ),
  accuracy: percent,
  time_seconds: quantity,
  correct_chars: count,
  total_chars: count,
  standard_wpm: described(
    quantity,
    '(characters of the transcribed text - 1) / 5 per minute, spaces between words included (Soukoreff & MacKenzie 2003).',
  ),
  raw_wpm: described(
    quantity,
    'All characters typed / 5 per minute: wrong, deleted and repeated ones and the spaces between words too.',
  ),
  consistency: described(
    v.nullable(percent),
    '100·(1 - tanh(c + c³/3 + c⁵/5)), c = population standard deviation / mean of the raw speeds of the seconds, as in monkeytype; the rest after the last whole second counts from half a second on. Null below two seconds of measured typing.',
  ),
  corrected_error_rate: described(percent, 'IF / (C + INF + IF): every deleted character is IF.'),
  uncorrected_error_rate: described(
    percent,
    'INF / (C + INF + IF): wrong characters left in the text, and omitted ones.',
  ),
  total_error_rate: described(percent, '(INF + IF) / (C + INF + IF).'),
  kspc: described(quantity, 'Keystrokes per character: (C + INF + IF + F) / (C + INF), F = backspaces.'),
  omitted_chars: count,
  measured_share: described(
    v.pipe(quantity, v.maxValue(1)),
    'Share of the intervals that were measured. An interval is a right keystroke that is not the first of its word.',
  ),
  counts: described(
    v.boolean(),
    'Whether the round counts for bests, averages, letters and the choice of words.',
  ),
  counts_reason: described(
    v.nullable(v.picklist(['unmeasured', 'too_fast', 'drill'])),
    'Why it does not: `unmeasured`: some, but less than half of its intervals were measured; `too_fast`: a standard_wpm above 350; `drill`. Null where it counts.',
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
  mode: described(v.string(), 'Such as `words-30`.'),
  language: v.string(),
  layout: v.string(),
  ...labelEntries(({ meaning }) => optional(v.string(), meaning)),
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
  average_consistency: described(percent, 'Over the rounds that have one.'),
  bigrams: described(
    v.record(v.string(), v.object({ count, average_ms: quantity })),
    'The 100 most frequent pairs of letters, with the mean seek time of the second letter.',
  ),
  rounds_not_counted: count,
});
export type HistoricalStatistics = v.InferOutput<typeof HistoricalStatisticsSchema>;

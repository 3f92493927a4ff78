// Answers of the typing API about speed and accuracy, of one round and of many.
import * as v from 'valibot';
import { count, nextPage, percent, quantity, timestamp } from './answer-values.ts';

/** Figures of one round, running or finished. */
const scoreEntries = {
  wpm: v.pipe(
    quantity,
    v.description(
      'Right keystrokes / 5 per minute, without the spaces between words; what typing tests call WPM is `standard_wpm`.',
    ),
  ),
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
  client: v.exactOptional(
    v.pipe(v.string(), v.description('What it was typed with, if the client said so.')),
  ),
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

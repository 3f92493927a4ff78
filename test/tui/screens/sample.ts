import type { HistoricalStatistics } from '../../../src/contract/statistics-types.ts';
import { defaultOptions, type Options } from '../../../src/tui/record/options.ts';
import type { RoundRecord } from '../../../src/tui/record/round-line.ts';
import { toRoundRecord } from '../../../src/tui/record/round-record.ts';
import { letters } from '../../../src/tui/round/keyboard.ts';
import { type LocalRound, newLocalRound } from '../../../src/tui/round/round.ts';
import { toScore } from '../../../src/tui/round/scoring.ts';
import { type App, beginRound, finishRound, newApp, takeReceipt } from '../../../src/tui/state/app-state.ts';
import { type HistoryView, newHistoryView } from '../../../src/tui/state/history-view.ts';
import { toAllKinds, toReport } from '../../../src/tui/trend/report.ts';
import type { Rules } from '../../../src/typing/rules/rules.ts';
import { typeText } from '../round/round-picture.ts';

/** A round as a server makes it: thirty words, 150 letters. */
export const words =
  'lobster pairs my cluster cricket prefer talks of garden simple lot yellow on between but letter quick jump over a fence and walk with the frozen box in dusk view'.split(
    ' ',
  );

/** A typist who makes the same slips every time. */
export function typeSample(): LocalRound {
  const text = words.map((word, at) => {
    if (at % 7 === 3) return `${word.slice(0, 1)}x<${word.slice(1)} `;
    return at % 9 === 5 ? `${word.slice(0, -1)}w ` : `${word} `;
  });
  return typeText(newLocalRound(words), text.join(''));
}

/** All rounds of that typist, as the server would tell them. */
export const history: HistoricalStatistics = {
  best_wpm: 118.4,
  best_accuracy: 99.3,
  best_time: 16.2,
  average_wpm: 101.9,
  average_accuracy: 95.2,
  average_time: 18.9,
  total_sessions: 42,
  letter_accuracy: toRecord(letters, (_, at) => ({
    presented: at === 16 ? 3 : 60 + at * 7,
    correct: at === 16 ? 3 : 60 + at * 7 - ((at * 5) % 13),
  })),
  letter_seek_time: toRecord(letters, (_, at) => ({ total_time_ms: (110 + at * 11) * 40, count: 40 })),
  finger_stats: toRecord([0, 1, 2, 3, 6, 7, 8, 9], (finger) => ({
    presented: 400,
    correct: 372 + finger * 3,
  })),
  row_stats: toRecord([0, 1, 2], (row) => ({ presented: 900, correct: 880 - row * 30 })),
  hand_balance: { left: 56.4, right: 43.6 },
  alternation_rate: 48.7,
  sfb_stats: { count: 213, average_ms: 184.2 },
  rhythm_stddev: 61.3,
  error_patterns: [
    { expected: 'e', typed: 'r', count: 14 },
    { expected: 'o', typed: 'i', count: 9 },
    { expected: 'n', typed: 'm', count: 7 },
    { expected: 's', typed: ' ', count: 2 },
  ],
  best_standard_wpm: 109.7,
  average_standard_wpm: 98.8,
  average_consistency: 71.5,
  bigrams: { th: { count: 61, average_ms: 121.4 } },
  rounds_not_counted: 0,
};

function toRecord<K extends string | number, T>(
  keys: readonly K[],
  toEntry: (key: K, at: number) => T,
): Record<string, T> {
  return Object.fromEntries(keys.map((key, at) => [key, toEntry(key, at)]));
}

export function typingApp(text: string, options: Partial<Options> = {}, rules?: Rules): App {
  const app = { ...beginRound(newApp({ ...defaultOptions, ...options }), words, rules), history };
  return { ...app, round: typeText(newLocalRound(words, rules), text) };
}

export function resultsApp(options: Partial<Options> = {}): App {
  const round = typeSample();
  const finished = finishRound(typingApp('', options), round, 0);
  const { wpm, accuracy, seconds, correct, total } = toScore(round);
  return takeReceipt(finished, round, {
    statistics: {
      wpm,
      accuracy,
      time_seconds: seconds,
      correct_chars: correct,
      total_chars: total,
      is_new_best_wpm: true,
      is_new_best_accuracy: false,
      is_new_best_time: false,
      standard_wpm: toScore(round).standardWpm,
      raw_wpm: wpm,
      consistency: 70,
      corrected_error_rate: 0,
      uncorrected_error_rate: 0,
      total_error_rate: 0,
      kspc: 1,
      omitted_chars: 0,
      measured_share: 1,
      counts: true,
      counts_reason: null,
    },
    history: { ...history, total_sessions: 43 },
    unsaved: '',
  });
}

export function historyApp(options: Partial<Options> = {}, view: Partial<HistoryView> = {}): App {
  const other = { ...practise()[0], mode: 'time-60', finished: '2026-01-01T00:00:00Z' } as RoundRecord;
  const history = { records: [other, ...practise()], imported: [], damagedLines: 0 };
  return {
    ...typingApp('', options),
    screen: 'history',
    report: toReport(history, 'UTC', { mode: 'words-30' }),
    historyView: { ...newHistoryView, kinds: toAllKinds(history), ...view },
  };
}

/** Sixty rounds on twenty days, getting better. */
function practise(): RoundRecord[] {
  const record = toRoundRecord(typeSample(), false);
  return Array.from({ length: 60 }, (_, at) => {
    const day = Math.floor(at / 3);
    const skill = (sums: RoundRecord['letters'][string]) => ({
      ...sums,
      correct: at < 40 ? Math.floor(sums.correct * 0.8) : sums.correct,
    });
    return {
      ...record,
      finished: new Date(Date.UTC(2026, 2, 1 + day, 9, at % 3)).toISOString(),
      standardWpm: 60 + day * 1.5 + ((at * 7) % 5),
      accuracy: 94 + ((at * 3) % 5),
      bigrams: Object.fromEntries(
        Object.entries(record.bigrams ?? {}).map(([pair, { count }], place) => [
          pair,
          { count, ms: count * (120 + ((place * 37) % 240)) },
        ]),
      ),
      letters: Object.fromEntries(
        Object.entries(record.letters).map(([letter, sums]) => [letter, skill(sums)]),
      ),
    };
  });
}

import type { HistoricalStatistics } from '../../../src/server/wire-types.ts';
import { type App, beginRun, finishRun, newApp, takeReceipt } from '../../../src/tui/app/app-state.ts';
import { letters } from '../../../src/tui/game/keyboard.ts';
import { newRun, type Run } from '../../../src/tui/game/run.ts';
import { toScore } from '../../../src/tui/game/scoring.ts';
import { defaultOptions, type Options } from '../../../src/tui/record/options.ts';
import type { RunRecord } from '../../../src/tui/record/run-history.ts';
import { toRunRecord } from '../../../src/tui/record/run-record.ts';
import { toReport } from '../../../src/tui/trend/report.ts';
import { typeText } from '../game/run-picture.ts';

/** A round as a server makes it: thirty words, 150 letters. */
export const words =
  'lobster pairs my cluster cricket prefer talks of garden simple lot yellow on between but letter quick jump over a fence and walk with the frozen box in dusk view'.split(
    ' ',
  );

/** A typist who makes the same slips every time. */
export function typeSample(): Run {
  const text = words.map((word, at) => {
    if (at % 7 === 3) return `${word.slice(0, 1)}x<${word.slice(1)} `;
    return at % 9 === 5 ? `${word.slice(0, -1)}w ` : `${word} `;
  });
  return typeText(newRun(words), text.join(''));
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
};

function toRecord<K extends string | number, T>(
  keys: readonly K[],
  toEntry: (key: K, at: number) => T,
): Record<string, T> {
  return Object.fromEntries(keys.map((key, at) => [key, toEntry(key, at)]));
}

export function typingApp(text: string, options: Partial<Options> = {}): App {
  const app = { ...beginRun(newApp({ ...defaultOptions, ...options }), words), history };
  return { ...app, run: typeText(newRun(words), text) };
}

export function resultsApp(options: Partial<Options> = {}): App {
  const run = typeSample();
  const finished = finishRun(typingApp('', options), run, 0);
  const { wpm, accuracy, seconds, correct, total } = toScore(run);
  return takeReceipt(finished, run, {
    statistics: {
      wpm,
      accuracy,
      time_seconds: seconds,
      correct_chars: correct,
      total_chars: total,
      is_new_best_wpm: true,
      is_new_best_accuracy: false,
      is_new_best_time: false,
    },
    history: { ...history, total_sessions: 43 },
    unsaved: '',
  });
}

export function historyApp(options: Partial<Options> = {}): App {
  return {
    ...typingApp('', options),
    screen: 'history',
    report: toReport({ records: practise(), damagedLines: 0 }, 'UTC'),
  };
}

/** Sixty rounds on twenty days, getting better. */
function practise(): RunRecord[] {
  const record = toRunRecord(typeSample(), false);
  return Array.from({ length: 60 }, (_, at) => {
    const day = Math.floor(at / 3);
    const skill = (sums: RunRecord['letters'][string]) => ({
      ...sums,
      correct: at < 40 ? Math.floor(sums.correct * 0.8) : sums.correct,
    });
    return {
      ...record,
      finished: new Date(Date.UTC(2026, 2, 1 + day, 9, at % 3)).toISOString(),
      wpm: 60 + day * 1.5 + ((at * 7) % 5),
      accuracy: 94 + ((at * 3) % 5),
      letters: Object.fromEntries(
        Object.entries(record.letters).map(([letter, sums]) => [letter, skill(sums)]),
      ),
    };
  });
}

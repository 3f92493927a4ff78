// The server may be any program at any address: what it says is checked before it is believed or drawn.
import type { GameState, HistoricalStatistics, SessionStatistics } from '../../server/wire-types.ts';
import { ServerProblem, toShownText } from './server-problem.ts';

export function parseSessionId(answer: unknown): string {
  const id = toObject(answer, 'session').session_id;
  if (typeof id === 'string' && /^[\w.-]{1,128}$/.test(id)) return id;
  throw toMisfit('session');
}

/** The words of a round: 1 to 200 of 1 to 64 visible characters each. */
export function parseWords(answer: unknown): readonly string[] {
  return toWords(toObject(answer, 'round').words);
}

function toWords(words: unknown): readonly string[] {
  const isRound = Array.isArray(words) && words.length >= 1 && words.length <= 200 && words.every(isWord);
  if (isRound) return words;
  throw toMisfit('round');
}

function isWord(word: unknown): word is string {
  return typeof word === 'string' && /^[\x21-\x7e\p{L}]{1,64}$/u.test(word);
}

/** Only what resuming a round needs is looked at. */
export function parseGameState(answer: unknown): GameState {
  const state = toObject(answer, 'state');
  toWords(state.words);
  if (!Number.isSafeInteger(state.last_seq)) throw toMisfit('state');
  return state as unknown as GameState;
}

export function parseSessionStatistics(answer: unknown): SessionStatistics {
  const statistics = toObject(answer, 'statistics');
  return {
    wpm: toNumber(statistics.wpm),
    accuracy: toNumber(statistics.accuracy),
    time_seconds: toNumber(statistics.time_seconds),
    correct_chars: toNumber(statistics.correct_chars),
    total_chars: toNumber(statistics.total_chars),
    is_new_best_wpm: statistics.is_new_best_wpm === true,
    is_new_best_accuracy: statistics.is_new_best_accuracy === true,
    is_new_best_time: statistics.is_new_best_time === true,
  };
}

export function parseHistory(answer: unknown): HistoricalStatistics {
  const history = toObject(answer, 'statistics');
  const balance = toRecord(history.hand_balance);
  const bigrams = toRecord(history.sfb_stats);
  return {
    best_wpm: toNumber(history.best_wpm),
    best_accuracy: toNumber(history.best_accuracy),
    best_time: toNumber(history.best_time),
    average_wpm: toNumber(history.average_wpm),
    average_accuracy: toNumber(history.average_accuracy),
    average_time: toNumber(history.average_time),
    total_sessions: toNumber(history.total_sessions),
    letter_accuracy: mapRecord(history.letter_accuracy, toLetterStats),
    letter_seek_time: mapRecord(history.letter_seek_time, toSeekTimeStats),
    finger_stats: mapRecord(history.finger_stats, toLetterStats),
    row_stats: mapRecord(history.row_stats, toLetterStats),
    hand_balance: { left: toNumber(balance.left), right: toNumber(balance.right) },
    alternation_rate: toNumber(history.alternation_rate),
    sfb_stats: { count: toNumber(bigrams.count), average_ms: toNumber(bigrams.average_ms) },
    rhythm_stddev: toNumber(history.rhythm_stddev),
    error_patterns: toErrorPatterns(history.error_patterns),
  };
}

function toLetterStats(value: unknown) {
  const { presented, correct } = toRecord(value);
  return { presented: toNumber(presented), correct: toNumber(correct) };
}

function toSeekTimeStats(value: unknown) {
  const { total_time_ms: total, count } = toRecord(value);
  return { total_time_ms: toNumber(total), count: toNumber(count) };
}

function toErrorPatterns(value: unknown): HistoricalStatistics['error_patterns'] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 50).map((entry: unknown) => {
    const { expected, typed, count } = toRecord(entry);
    return {
      expected: toShownText(String(expected)).slice(0, 2),
      typed: toShownText(String(typed)).slice(0, 2),
      count: toNumber(count),
    };
  });
}

function mapRecord<T>(value: unknown, toEntry: (entry: unknown) => T): Record<string, T> {
  const entries = Object.entries(toRecord(value)).filter(([key]) => /^[a-z0-9]$/.test(key));
  return Object.fromEntries(entries.map(([key, entry]) => [key, toEntry(entry)]));
}

function toNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw toMisfit(what);
}

function toMisfit(what: string): ServerProblem {
  return new ServerProblem('refused', `the server sent a ${what} that this client does not understand`);
}

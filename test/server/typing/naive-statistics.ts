// A second computation of everything that the API tells, from the raw events alone. It is naive on purpose, shares no
// line with the engine, and looks everything up again for every number.
import type * as wire from '../../../src/server/wire-types.ts';

export interface RawEvent {
  readonly type: 'keystroke' | 'backspace' | 'space';
  readonly char?: string;
  readonly seek_time_ms?: number;
}

export interface RawRound {
  readonly words: readonly string[];
  readonly punctuation: boolean;
  readonly events: readonly RawEvent[];
  readonly duration_ms?: number;
}

interface Stroke {
  readonly event: number;
  readonly word: number;
  readonly place: number;
  readonly wanted: string;
  readonly typed: string;
  readonly ms: number;
}

interface Transcript {
  readonly strokes: Stroke[];
  readonly results: wire.InputResult[];
  /** What stands in each word. */
  readonly standing: string[][];
  readonly word: number;
  /** The event that started the timer, or -1. */
  readonly start: number;
}

export function transcribe({ words, events }: RawRound): Transcript {
  const strokes: Stroke[] = [];
  const results: wire.InputResult[] = [];
  const standing: string[][] = words.map(() => []);
  let word = 0;
  let start = -1;
  events.forEach((event, index) => {
    const here = standing[word] as string[];
    const target = words[word] as string;
    const stroke = (typed: string) => {
      const wanted = target.charAt(here.length);
      strokes.push({ event: index, word, place: here.length, wanted, typed, ms: event.seek_time_ms ?? 0 });
      here.push(typed);
      return wanted === typed;
    };
    if (event.type === 'backspace') {
      const success = here.pop() !== undefined;
      results.push({ success, new_length: here.length });
    } else if (event.type === 'keystroke') {
      const place = here.length;
      const is_correct = stroke(event.char as string);
      const timer_started = is_correct && word === 0 && place === 0 && start === -1;
      if (timer_started) start = index;
      results.push({ is_correct, timer_started, char_index: place });
    } else if (here.length >= target.length) {
      word++;
      results.push({ advanced: true, round_complete: word === words.length, treated_as_error: false });
    } else {
      const treated_as_error = here.length > 0 || start !== -1;
      if (treated_as_error) stroke(' ');
      results.push({ advanced: false, round_complete: false, treated_as_error });
    }
  });
  return { strokes, results, standing, word, start };
}

export function naiveState(round: RawRound): Omit<wire.GameState, 'last_seq'> {
  const { words } = round;
  const { word, standing, start } = transcribe(round);
  const { duration_ms: _, ...untimed } = round;
  const { wpm } = naiveSession(untimed, []);
  return {
    words: [...words],
    current_word_idx: word,
    current_input: (standing[word] ?? []).join(''),
    timer_started: start !== -1,
    punctuation_mode: round.punctuation,
    word_number: word === words.length ? words.length : word + 1,
    total_words: words.length,
    live_wpm: wpm,
    current_word: word < words.length ? (words[word] as string) : '',
    previous_word: word > 0 ? (words[word - 1] as string) : '',
    next_word: word + 1 < words.length ? (words[word + 1] as string) : '',
    next_words: words.filter((_, at) => at > word && at <= word + 3),
  };
}

export function naiveSession(round: RawRound, before: readonly RawRound[]): wire.SessionStatistics {
  const { strokes, start } = transcribe(round);
  const right = strokes.filter(({ wanted, typed }) => wanted === typed).length;
  let ms = round.duration_ms ?? 0;
  if (round.duration_ms === undefined && start !== -1) {
    round.events.forEach(({ seek_time_ms }, at) => {
      if (at > start) ms += seek_time_ms ?? 0;
    });
  }
  const wpm = ms === 0 ? 0 : (right * 60_000) / (5 * ms);
  const accuracy = strokes.length === 0 ? 0 : (100 * right) / strokes.length;
  const past = before.map((other) => naiveSession(other, []));
  const isTimed = round.duration_ms !== undefined;
  return {
    wpm,
    accuracy,
    time_seconds: ms / 1000,
    correct_chars: right,
    total_chars: strokes.length,
    is_new_best_wpm: isTimed && past.every((other) => wpm > other.wpm + 1e-9),
    is_new_best_accuracy: isTimed && past.every((other) => accuracy > other.accuracy + 1e-9),
    is_new_best_time: isTimed && past.every((other) => ms / 1000 < other.time_seconds),
  };
}

const leftLetters = 'qwertasdfgzxcvb';
const fingerLetters: Record<string, string> = {
  0: 'qaz',
  1: 'wsx',
  2: 'edc',
  3: 'rfvtgb',
  6: 'yhnujm',
  7: 'ik',
  8: 'ol',
  9: 'p',
};
const rowLetters: Record<string, string> = { 0: 'qwertyuiop', 1: 'asdfghjkl', 2: 'zxcvbnm' };
const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];

const isLetter = (text: string) => alphabet.includes(text);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: readonly number[]) => (numbers.length === 0 ? 0 : sum(numbers) / numbers.length);

/** Statistics of finished rounds, given in any order. */
export function naiveHistory(rounds: readonly RawRound[]): wire.HistoricalStatistics {
  const sessions = rounds.map((round) => naiveSession(round, []));
  const places = rounds.flatMap(placesOf);
  const timed = rounds.flatMap(timedStrokesOf);
  const pairs = rounds.flatMap(pairsOf);
  const times = timed.map(({ ms }) => ms);
  const averageTime = mean(times);
  const sameFinger = pairs.filter(([a, b]) => a.wanted !== b.wanted && finger(a.wanted) === finger(b.wanted));
  const accuracyOf = (letters: string) => {
    const met = places.filter(({ letter }) => letters.includes(letter));
    const correct = met.filter((place) => place.correct).length;
    return met.length === 0
      ? []
      : [{ presented: met.length, correct, accuracy: (100 * correct) / met.length }];
  };
  const grouped = (groups: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(groups).flatMap(([name, letters]) => accuracyOf(letters).map((stats) => [name, stats])),
    );
  const left = places.filter(({ letter }) => leftLetters.includes(letter)).length;
  return {
    best_wpm: Math.max(0, ...sessions.map(({ wpm }) => wpm)),
    best_accuracy: Math.max(0, ...sessions.map(({ accuracy }) => accuracy)),
    best_time: rounds.length === 0 ? 0 : Math.min(...sessions.map(({ time_seconds }) => time_seconds)),
    average_wpm: mean(sessions.map(({ wpm }) => wpm)),
    average_accuracy: mean(sessions.map(({ accuracy }) => accuracy)),
    average_time: mean(sessions.map(({ time_seconds }) => time_seconds)),
    total_sessions: rounds.length,
    letter_accuracy: grouped(Object.fromEntries(alphabet.map((letter) => [letter, letter]))),
    letter_seek_time: Object.fromEntries(
      alphabet.flatMap((letter) => {
        const own = timed.filter(({ wanted }) => wanted === letter).map(({ ms }) => ms);
        const stats = { total_time_ms: sum(own), count: own.length, average_ms: mean(own) };
        return own.length === 0 ? [] : [[letter, stats]];
      }),
    ),
    finger_stats: grouped(fingerLetters),
    row_stats: grouped(rowLetters),
    hand_balance:
      places.length === 0
        ? { left: 0, right: 0 }
        : { left: (100 * left) / places.length, right: (100 * (places.length - left)) / places.length },
    alternation_rate:
      pairs.length === 0
        ? 0
        : (100 * pairs.filter(([a, b]) => isLeft(a.wanted) !== isLeft(b.wanted)).length) / pairs.length,
    sfb_stats: { count: sameFinger.length, average_ms: mean(sameFinger.map(([, second]) => second.ms)) },
    rhythm_stddev: Math.sqrt(mean(times.map((ms) => (ms - averageTime) ** 2))),
    error_patterns: errorsOf(rounds),
  };
}

function placesOf(round: RawRound): { letter: string; correct: boolean }[] {
  const { strokes } = transcribe(round);
  return round.words.flatMap((text, word) =>
    [...text].flatMap((letter, place) => {
      const first = strokes.find((stroke) => stroke.word === word && stroke.place === place);
      return isLetter(letter) ? [{ letter, correct: first?.typed === letter }] : [];
    }),
  );
}

const isCounted = ({ wanted, typed, place, ms }: Stroke) =>
  isLetter(wanted) && wanted === typed && place > 0 && ms > 0 && ms < 5000;

function timedStrokesOf(round: RawRound): Stroke[] {
  return transcribe(round).strokes.filter(isCounted);
}

function pairsOf(round: RawRound): [Stroke, Stroke][] {
  const { strokes } = transcribe(round);
  return strokes.flatMap((second): [Stroke, Stroke][] => {
    const first = strokes.find(({ event, word }) => event === second.event - 1 && word === second.word);
    const isPair =
      first !== undefined && isLetter(first.wanted) && first.wanted === first.typed && isCounted(second);
    return isPair ? [[first, second]] : [];
  });
}

function errorsOf(rounds: readonly RawRound[]): wire.HistoricalStatistics['error_patterns'] {
  const counts: Record<string, number> = {};
  for (const { wanted, typed } of rounds.flatMap((round) => transcribe(round).strokes)) {
    if (isLetter(wanted) && wanted !== typed) counts[wanted + typed] = (counts[wanted + typed] ?? 0) + 1;
  }
  const names = Object.keys(counts).sort();
  names.sort((a, b) => (counts[b] as number) - (counts[a] as number));
  return names.slice(0, 50).map((name) => ({
    expected: name.charAt(0),
    typed: name.slice(1),
    count: counts[name] as number,
  }));
}

const isLeft = (letter: string) => leftLetters.includes(letter);
const finger = (letter: string) =>
  Object.keys(fingerLetters).find((name) => fingerLetters[name]?.includes(letter));

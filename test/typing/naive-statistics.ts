// A second computation of everything that the API tells, from the raw events alone. It is naive on purpose, shares no
// line with the engine, and looks everything up again for every number.

import type * as answers from '../../src/contract/answer-types.ts';
import type * as statistics from '../../src/contract/answer-types.ts';
import type * as setup from '../../src/contract/session-setup.ts';

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
  /** Default: the rules of the documents. */
  readonly rules?: setup.Rules;
  /** Default: what the documents know, 30 words in English on QWERTY. */
  readonly kind?: RawKind;
}

/** What a round is typed in; language and layout as the API lists them. */
export interface RawKind {
  readonly mode: answers.GameState['mode'];
  /** Such as `words-30`. */
  readonly modeName: string;
  readonly language: string;
  readonly alphabet: string;
  readonly layout: Pick<answers.LayoutList['layouts'][number], 'id' | 'rows' | 'fingers'>;
}

export const documentedRules: setup.Rules = { early_space: 'error', stop_on: 'none', backspace: 'free' };

interface Stroke {
  readonly event: number;
  readonly word: number;
  readonly place: number;
  readonly wanted: string;
  readonly typed: string;
  readonly ms: number;
  /** It entered the word. */
  readonly kept: boolean;
}

interface Transcript {
  readonly strokes: Stroke[];
  readonly results: answers.InputResult[];
  /** What stands in each word. */
  readonly standing: string[][];
  word: number;
  /** The event that started the timer, or -1. */
  start: number;
  /** Characters deleted. */
  deleted: number;
  /** The events that ended words. */
  readonly ends: number[];
}

const characters = new Map<string, readonly string[]>();

/** The user-perceived characters of a word. */
export function charactersOf(word: string): readonly string[] {
  const known = characters.get(word) ?? [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment);
  characters.set(word, known);
  return known;
}

/** Computes it once for each round, because every number asks for it again. */
function once<T>(compute: (round: RawRound) => T): (round: RawRound) => T {
  const known = new WeakMap<RawRound, { readonly value: T }>();
  return (round) => {
    const answer = known.get(round) ?? { value: compute(round) };
    known.set(round, answer);
    return answer.value;
  };
}

/** What the keys of a round did. */
export const transcribe = once((round): Transcript => {
  const reader = createKeyReader(round);
  for (const event of round.events) reader.read(event);
  return reader.transcript;
});

/** Takes the keys of a round one after the other; `transcript` is what they have done so far. */
export function createKeyReader({ words, rules = documentedRules }: Pick<RawRound, 'words' | 'rules'>) {
  const transcript: Transcript = {
    strokes: [],
    results: [],
    standing: words.map(() => []),
    word: 0,
    start: -1,
    deleted: 0,
    ends: [],
  };
  const { strokes, results, standing, ends } = transcript;
  let index = -1;
  function read(event: RawEvent): void {
    index++;
    const { word } = transcript;
    const here = standing[word] as string[];
    const target = charactersOf(words[word] as string);
    const stroke = (typed: string) => {
      const wanted = target[here.length] ?? '';
      const kept = wanted === typed || rules.stop_on !== 'letter';
      const ms = event.seek_time_ms ?? 0;
      strokes.push({ event: index, word, place: here.length, wanted, typed, ms, kept });
      if (kept) here.push(typed);
      return wanted === typed;
    };
    const space = (advanced: boolean, treated_as_error: boolean) => {
      if (advanced) {
        transcript.word++;
        ends.push(index);
      }
      const round_complete = advanced && transcript.word === words.length;
      results.push({ advanced, round_complete, treated_as_error });
    };
    if (event.type === 'backspace') {
      const success = rules.backspace !== 'none' && here.length > 0;
      if (success) {
        here.pop();
        transcript.deleted++;
      }
      results.push({ success, new_length: here.length });
    } else if (event.type === 'keystroke') {
      const place = here.length;
      const is_correct = stroke((event.char as string).normalize('NFC'));
      const timer_started = is_correct && word === 0 && place === 0 && transcript.start === -1;
      if (timer_started) transcript.start = index;
      results.push({ is_correct, timer_started, char_index: place });
    } else {
      const isCovered = here.length >= target.length;
      const isSkipped = !isCovered && here.length > 0 && rules.early_space === 'skip';
      const hasMistakes = here.some((typed, place) => typed !== target[place]) || isSkipped;
      if (isCovered || isSkipped) {
        space(!(rules.stop_on === 'word' && hasMistakes), false);
      } else {
        const isError = here.length > 0 || transcript.start !== -1;
        if (isError) stroke(' ');
        space(false, isError);
      }
    }
  }
  return { transcript, read };
}

export function naiveState(round: RawRound): Omit<answers.GameState, 'last_seq' | 'round_id'> {
  const { words, rules = documentedRules } = round;
  const { mode, language, layout } = kindOf(round);
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
    mode,
    language,
    layout: layout.id,
    rules,
  };
}

/** The statistics of a round as if it were the first. */
export const sessionOf = once((round) => naiveSession(round, []));

const isRight = ({ wanted, typed }: Stroke) => wanted === typed;
/** A right key at a place that was right before. */
const isAgain = (stroke: Stroke, strokes: readonly Stroke[]) =>
  isRight(stroke) &&
  strokes.some(
    (other) =>
      other.event < stroke.event &&
      other.word === stroke.word &&
      other.place === stroke.place &&
      isRight(other),
  );
const wpmOf = (characters: number, ms: number) => (ms === 0 ? 0 : (characters * 60_000) / (5 * ms));
const percentOf = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole);

/** Milliseconds from the start of the timer to each event, that event included; undefined before the start. */
function clock({ events }: RawRound, start: number): (number | undefined)[] {
  let ms = 0;
  return events.map(({ seek_time_ms }, at) => {
    if (start === -1 || at < start) return undefined;
    if (at > start) ms += seek_time_ms ?? 0;
    return ms;
  });
}

export function naiveSession(round: RawRound, before: readonly RawRound[]): statistics.SessionStatistics {
  const { strokes, start, standing, word, deleted, ends } = transcribe(round);
  const first = strokes.filter((stroke) => !isAgain(stroke, strokes));
  const right = first.filter(isRight).length;
  const times = clock(round, start);
  const typingMs = Math.max(0, ...times.map((time) => time ?? 0));
  const ms = round.duration_ms ?? typingMs;
  const wpm = wpmOf(right, ms);
  const accuracy = percentOf(right, first.length);

  const spaces = ends.filter((_, at) => at < round.words.length - 1);
  const transcribed = standing.flat().length + spaces.length;
  const standing_wpm = wpmOf(Math.max(0, transcribed - 1), ms);
  const good =
    standing.flatMap((typed, at) =>
      typed.filter((key, place) => key === charactersOf(round.words[at] as string)[place]),
    ).length + spaces.length;
  const omitted = sum(
    standing.map((typed, at) =>
      at < word ? Math.max(0, charactersOf(round.words[at] as string).length - typed.length) : 0,
    ),
  );
  const left = transcribed - good + omitted;
  const fixed = deleted + strokes.filter(({ kept }) => !kept).length;
  const intervals = strokes.filter((stroke) => isRight(stroke) && stroke.place > 0);
  const measured = intervals.filter((stroke) => stroke.ms > 0).length;
  const { modeName } = kindOf(round);
  const isPasted = measured > 0 && measured < intervals.length / 2;
  const tooFast = standing_wpm > 350 ? 'too_fast' : null;
  const reason = modeName === 'drill' ? 'drill' : isPasted ? 'unmeasured' : tooFast;

  const past = before
    .filter((other) => kindOf(other).modeName === modeName)
    .map(sessionOf)
    .filter(({ counts }) => counts);
  const isBest = round.duration_ms !== undefined && reason === null;
  return {
    wpm,
    accuracy,
    time_seconds: ms / 1000,
    correct_chars: right,
    total_chars: first.length,
    is_new_best_wpm: isBest && past.every((other) => wpm > other.wpm + 1e-9),
    is_new_best_accuracy: isBest && past.every((other) => accuracy > other.accuracy + 1e-9),
    is_new_best_time: isBest && past.every((other) => ms / 1000 < other.time_seconds),
    standard_wpm: standing_wpm,
    raw_wpm: wpmOf(strokes.length + spaces.length, ms),
    consistency: monkeytypeConsistency(
      [...strokes.map(({ event }) => event), ...spaces].flatMap((event) => times[event] ?? []),
      typingMs,
    ),
    corrected_error_rate: percentOf(fixed, good + left + fixed),
    uncorrected_error_rate: percentOf(left, good + left + fixed),
    total_error_rate: percentOf(left + fixed, good + left + fixed),
    kspc: good + left === 0 ? 0 : (good + left + fixed + deleted) / (good + left),
    omitted_chars: omitted,
    measured_share: intervals.length === 0 ? 0 : measured / intervals.length,
    counts: reason === null,
    counts_reason: reason,
  };
}

/**
 * Consistency as monkeytype describes it: the raw speed of each second of the test, the coefficient of variation of these
 * speeds, and of that 100 * (1 - tanh(c + c^3 / 3 + c^5 / 5)). A last second of half a second or more counts by its length.
 */
function monkeytypeConsistency(presses: readonly number[], ms: number): number | null {
  if (ms < 2000) return null;
  const speeds: number[] = [];
  for (let from = 0; from < ms; from += 1000) {
    const to = Math.min(from + 1000, ms);
    if (to - from < 500) continue;
    const inside = presses.filter((press) => press <= to && (press > from || (press === 0 && from === 0)));
    const words = inside.length / 5;
    speeds.push(words / ((to - from) / 60_000));
  }
  const average = mean(speeds);
  if (average === 0) return null;
  const deviation = Math.sqrt(mean(speeds.map((speed) => (speed - average) ** 2)));
  const cov = deviation / average;
  return 100 * (1 - Math.tanh(cov + cov ** 3 / 3 + cov ** 5 / 5));
}

const fingerLetters = ['qaz', 'wsx', 'edc', 'rfvtgb', '', '', 'yhnujm', 'ik', 'ol', 'p'];
const documentedKind: RawKind = {
  mode: { type: 'words', count: 30 },
  modeName: 'words-30',
  language: 'en',
  alphabet: 'abcdefghijklmnopqrstuvwxyz',
  layout: {
    id: 'qwerty',
    rows: [[...'qwertyuiop'], [...'asdfghjkl'], [...'zxcvbnm'], []],
    fingers: Object.fromEntries(
      fingerLetters.flatMap((letters, finger) => [...letters].map((letter) => [letter, finger])),
    ),
  },
};
export const kindOf = ({ kind = documentedKind }: RawRound) => kind;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: readonly number[]) => (numbers.length === 0 ? 0 : sum(numbers) / numbers.length);

/** Statistics of finished rounds, given in any order. */
export function naiveHistory(all: readonly RawRound[]): statistics.HistoricalStatistics {
  const rounds = all.filter((round) => sessionOf(round).counts);
  const sessions = rounds.map(sessionOf);
  const places = rounds.flatMap(placesOf);
  const timed = rounds.flatMap(timedStrokesOf);
  const pairs = rounds.flatMap((round) => pairsOf(round).map((pair) => ({ pair, round })));
  const times = timed.map(({ ms }) => ms);
  const averageTime = mean(times);
  const fingers = pairs.map(({ pair: [a, b], round }) => [
    fingerOf(round, a.wanted),
    fingerOf(round, b.wanted),
  ]);
  const sameFinger = pairs.filter(
    ({ pair: [a, b] }, at) =>
      a.wanted !== b.wanted && fingers[at]?.[0] !== undefined && fingers[at]?.[0] === fingers[at]?.[1],
  );
  const alternating = fingers.filter(
    ([a, b]) => a !== undefined && b !== undefined && isLeft(a) !== isLeft(b),
  );
  /** By whatever name a place has; places without one are left out. */
  const grouped = (nameOf: (place: Place) => number | string | undefined) => {
    const names = places.map(nameOf);
    return Object.fromEntries(
      [...new Set(names)].flatMap((name) => {
        if (name === undefined) return [];
        const met = places.filter((_, at) => names[at] === name);
        const correct = met.filter((place) => place.correct).length;
        return [[name, { presented: met.length, correct, accuracy: (100 * correct) / met.length }]];
      }),
    );
  };
  const hands = places.flatMap(({ round, letter }) => fingerOf(round, letter) ?? []);
  const left = hands.filter(isLeft).length;
  return {
    best_wpm: Math.max(0, ...sessions.map(({ wpm }) => wpm)),
    best_accuracy: Math.max(0, ...sessions.map(({ accuracy }) => accuracy)),
    best_time: rounds.length === 0 ? 0 : Math.min(...sessions.map(({ time_seconds }) => time_seconds)),
    average_wpm: mean(sessions.map(({ wpm }) => wpm)),
    average_accuracy: mean(sessions.map(({ accuracy }) => accuracy)),
    average_time: mean(sessions.map(({ time_seconds }) => time_seconds)),
    total_sessions: rounds.length,
    letter_accuracy: grouped(({ letter }) => letter),
    letter_seek_time: Object.fromEntries(
      [...new Set(timed.map(({ wanted }) => wanted))].map((letter) => {
        const own = timed.filter(({ wanted }) => wanted === letter).map(({ ms }) => ms);
        return [letter, { total_time_ms: sum(own), count: own.length, average_ms: mean(own) }];
      }),
    ),
    finger_stats: grouped(({ round, letter }) => fingerOf(round, letter)),
    row_stats: grouped(({ round, letter }) => rowOf(round, letter)),
    hand_balance:
      hands.length === 0
        ? { left: 0, right: 0 }
        : { left: (100 * left) / hands.length, right: (100 * (hands.length - left)) / hands.length },
    alternation_rate: percentOf(alternating.length, pairs.length),
    sfb_stats: {
      count: sameFinger.length,
      average_ms: mean(sameFinger.map(({ pair: [, second] }) => second.ms)),
    },
    rhythm_stddev: Math.sqrt(mean(times.map((ms) => (ms - averageTime) ** 2))),
    error_patterns: errorsOf(rounds),
    // Keys hit at random are fast, too.
    best_standard_wpm: Math.max(
      0,
      ...sessions.filter(({ accuracy }) => accuracy >= 50).map(({ standard_wpm }) => standard_wpm),
    ),
    average_standard_wpm: mean(sessions.map(({ standard_wpm }) => standard_wpm)),
    average_consistency: mean(sessions.flatMap(({ consistency }) => consistency ?? [])),
    bigrams: bigramsOf(pairs.map(({ pair }) => pair)),
    rounds_not_counted: all.length - rounds.length,
  };
}

const letterOf = (round: RawRound, character: string) => {
  const { language, alphabet } = kindOf(round);
  const isLetter = (text: string) => text.length === 1 && alphabet.includes(text);
  const small = character.toLocaleLowerCase(language);
  return isLetter(character) ? character : isLetter(small) ? small : undefined;
};
const fingerOf = (round: RawRound, letter: string) => {
  const { fingers } = kindOf(round).layout;
  return Object.hasOwn(fingers, letter) ? fingers[letter] : undefined;
};
const rowOf = (round: RawRound, letter: string) =>
  [0, 1, 2, 3].find((row) => kindOf(round).layout.rows[row]?.includes(letter));
const isLeft = (finger: number) => finger <= 4;

interface Place {
  readonly round: RawRound;
  readonly letter: string;
  readonly correct: boolean;
}

/** A timed test may end within a word: of that one, and of those after it, nothing counts but what was typed at. */
const placesOf = once((round): Place[] => {
  const { strokes, word: current } = transcribe(round);
  return round.words.flatMap((text, word) =>
    charactersOf(text).flatMap((character, place) => {
      const first = strokes.find((stroke) => stroke.word === word && stroke.place === place);
      const letter = letterOf(round, character);
      if (letter === undefined || (word >= current && first === undefined)) return [];
      return [{ round, letter, correct: first?.typed === character }];
    }),
  );
});

const isCounted = (round: RawRound, stroke: Stroke) =>
  letterOf(round, stroke.wanted) !== undefined &&
  isRight(stroke) &&
  stroke.place > 0 &&
  stroke.ms > 0 &&
  stroke.ms < 5000;

/** From here on, `wanted` is the letter that counts. */
const asLetter = (round: RawRound, stroke: Stroke): Stroke => ({
  ...stroke,
  wanted: letterOf(round, stroke.wanted) as string,
});

const timedStrokesOf = once((round): Stroke[] => {
  const { strokes } = transcribe(round);
  return strokes.filter((stroke) => isCounted(round, stroke)).map((stroke) => asLetter(round, stroke));
});

export const pairsOf = once((round): [Stroke, Stroke][] => {
  const { strokes } = transcribe(round);
  return strokes.flatMap((second): [Stroke, Stroke][] => {
    const first = strokes.find(({ event, word }) => event === second.event - 1 && word === second.word);
    const isPair =
      first !== undefined &&
      letterOf(round, first.wanted) !== undefined &&
      isRight(first) &&
      isCounted(round, second);
    return isPair ? [[asLetter(round, first), asLetter(round, second)]] : [];
  });
});

function bigramsOf(pairs: readonly [Stroke, Stroke][]): statistics.HistoricalStatistics['bigrams'] {
  const names = [...new Set(pairs.map(([a, b]) => a.wanted + b.wanted))].sort();
  const all = names.map((name) => {
    const times = pairs.filter(([a, b]) => a.wanted + b.wanted === name).map(([, { ms }]) => ms);
    return [name, { count: times.length, average_ms: mean(times) }] as const;
  });
  return Object.fromEntries(all.sort(([, a], [, b]) => b.count - a.count).slice(0, 100));
}

function errorsOf(rounds: readonly RawRound[]): statistics.HistoricalStatistics['error_patterns'] {
  const counts: Record<string, number> = {};
  for (const round of rounds) {
    for (const { wanted, typed } of transcribe(round).strokes) {
      const [expected, given] = [letterOf(round, wanted), letterOf(round, typed)];
      if (expected === undefined || given === undefined || expected === given) continue;
      counts[expected + given] = (counts[expected + given] ?? 0) + 1;
    }
  }
  const names = Object.keys(counts).sort();
  names.sort((a, b) => (counts[b] as number) - (counts[a] as number));
  return names.slice(0, 50).map((name) => ({
    expected: name.charAt(0),
    typed: name.slice(1),
    count: counts[name] as number,
  }));
}

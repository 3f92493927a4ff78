import * as v from 'valibot';
import type { Language } from '../../typing/letters/language.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { type FinishedRound, kindOfRound } from '../../typing/statistics/finished-round.ts';
import { createKeyCounter, newKeyTally } from '../../typing/statistics/key-tally.ts';
import { finishedStatistics } from '../../typing/statistics/score-statistics.ts';
import { speedSeries } from './speed-series.ts';

/** Programs whose rounds can be imported. */
export const sources = ['monkeytype', 'keybr'] as const;
export type Source = (typeof sources)[number];
export type RoundSource = Source | 'own' | 'all';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const quantity = v.pipe(v.number(), v.minValue(0));

/** It is shown on the screen, and the file may come from anywhere. */
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

/** One round with its figures and sums, as `stats --export` writes it: all statistics are made of these. */
const RoundRecordSchema = v.object({
  version: v.literal(3),
  /** When the round was finished, ISO 8601 UTC. */
  finished: v.pipe(v.string(), v.isoTimestamp(), v.endsWith('Z')),
  /** Right keystrokes / 5 per minute, without spaces. */
  wpm: quantity,
  /** Spaces counted; see `standardWpmOf`. */
  standardWpm: quantity,
  /** Every character typed; 0 to 100; percent of the characters. Rounds of other programs may lack them. */
  rawWpm: v.optional(quantity),
  consistency: v.optional(v.nullable(quantity)),
  correctedErrorRate: v.optional(quantity),
  uncorrectedErrorRate: v.optional(quantity),
  /** Percent. */
  accuracy: v.pipe(quantity, v.maxValue(100)),
  seconds: quantity,
  correct: count,
  total: count,
  /** Characters of words that were left out. */
  omitted: count,
  /** Whether the round says something about the typist: a drill or a pasted one does not. */
  counts: v.boolean(),
  /** Rules that made it harder, such as `stop-on-letter`. */
  rules: v.optional(v.array(name)),
  /** Such as `words-30`. */
  mode: name,
  language: name,
  layout: name,
  punctuation: v.boolean(),
  /** Per letter: times presented, right at once, sum (ms) and number of measured seek times. */
  letters: v.record(
    v.pipe(v.string(), v.regex(/^\p{L}$/u)),
    v.object({ presented: count, correct: count, seekMs: quantity, seekCount: count }),
  ),
  /** Wanted and typed letter or sign, such as "e>r", and how often. */
  errors: v.record(v.string(), count),
  /** Keys whose interval could not be measured. */
  unmeasured: count,
  /** Two right letters directly one after the other: how often, and the seek times of the second, ms. */
  bigrams: v.optional(
    v.record(v.pipe(v.string(), v.regex(/^\p{L}{2}$/u)), v.object({ count, ms: quantity })),
  ),
  /** The speed over the round, WPM, in equal spans of its time. */
  speeds: v.optional(v.array(quantity)),
  /** The program that it was typed in; rounds of this one have none. */
  source: v.optional(v.picklist(sources)),
});

export type RoundRecord = v.InferOutput<typeof RoundRecordSchema>;

/** Sums of one letter, counted by the rules of the session API's historical statistics. */
export type LetterSums = RoundRecord['letters'][string];

/** The record in a line; undefined if there is none. */
export function parseRoundRecord(line: string): RoundRecord | undefined {
  try {
    const parsed = v.safeParse(RoundRecordSchema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Parts of a round whose speeds are kept: enough for a chart. */
const speedSpans = 40;

/** The figures and sums of a round: all of them the engine's, so that they equal those of a server. */
export function roundRecord(
  round: FinishedRound & { readonly punctuation: boolean },
  language: Language,
): RoundRecord {
  const reports: KeyReport[] = [];
  const figures = finishedStatistics(round, (report) => reports.push(report));
  const tally = newKeyTally();
  reports.forEach(createKeyCounter(tally, language));
  const { duration, end } = round.timing;
  const rules = ruleNames(round);
  return {
    version: 3,
    finished: new Date(end).toISOString(),
    wpm: figures.wpm,
    standardWpm: figures.standard_wpm,
    rawWpm: figures.raw_wpm,
    consistency: figures.consistency,
    correctedErrorRate: figures.corrected_error_rate,
    uncorrectedErrorRate: figures.uncorrected_error_rate,
    accuracy: figures.accuracy,
    seconds: duration / 1000,
    correct: figures.correct_chars,
    total: figures.total_chars,
    omitted: figures.omitted_chars,
    counts: figures.counts,
    ...(rules.length > 0 && { rules }),
    ...kindOfRound(round),
    punctuation: round.punctuation,
    letters: Object.fromEntries(
      Object.entries(tally.letters).map(([letter, { seekSquares: _, ...sums }]) => [letter, sums]),
    ),
    errors: Object.fromEntries([
      ...Object.entries(tally.errors).map(([pair, times]) => [`${pair[0]}>${pair[1]}`, times] as const),
      // The engine counts letters only.
      ...Object.entries(wrongKeys(reports)).filter(([pair]) => !/^\p{L}>\p{L}$/u.test(pair)),
    ]),
    unmeasured: reports.filter(({ kind, isTimed, ms }) => kind === 'character' && isTimed && ms === 0).length,
    bigrams: Object.fromEntries(
      Object.entries(tally.bigrams).map(([pair, { count, ms }]) => [pair, { count, ms }]),
    ),
    speeds: speedSeries(reports, duration, speedSpans).map(({ wpm }) => Math.round(wpm * 10) / 10),
  };
}

/** The rules that made a round harder, named as on the command line. */
function ruleNames({ rules }: FinishedRound): string[] {
  if (rules === undefined) return [];
  return [
    ...(rules.stop_on === 'none' ? [] : [`stop-on-${rules.stop_on}`]),
    ...(rules.backspace === 'none' ? ['no-backspace'] : []),
  ];
}

/** Wanted and typed key, neither a space nor a control character. */
const visiblePair = /^([\p{L}\p{N}\p{P}\p{S}])>([\p{L}\p{N}\p{P}\p{S}])$/u;

/** The wrong keys of a round, as `RoundRecord` has them. */
export function wrongKeys(reports: readonly KeyReport[]): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const { kind, key, word, at, isRight } of reports) {
    const pair = `${word[at]}>${key}`;
    if (kind !== 'character' || isRight || !visiblePair.test(pair)) continue;
    errors[pair] = (errors[pair] ?? 0) + 1;
  }
  return errors;
}

/** A wrong key, and how often. */
export interface KeyError {
  readonly wanted: string;
  readonly typed: string;
  readonly count: number;
}

/** The errors of some records, the most frequent first. What a terminal cannot show is left out. */
export function keyErrors(records: readonly RoundRecord['errors'][]): KeyError[] {
  const sums = new Map<string, number>();
  for (const [pair, count] of records.flatMap(Object.entries)) sums.set(pair, (sums.get(pair) ?? 0) + count);
  return [...sums]
    .flatMap(([pair, count]) => {
      const [, wanted, typed] = visiblePair.exec(pair) ?? [];
      return wanted === undefined || typed === undefined ? [] : [{ wanted, typed, count }];
    })
    .sort((a, b) => b.count - a.count);
}

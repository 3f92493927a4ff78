import * as v from 'valibot';
import { toWpm } from '../../typing/statistics/speed.ts';
import { endReasons } from '../round/limits.ts';

/** Programs whose rounds can be imported. */
export const sources = ['monkeytype', 'keybr'] as const;
export type Source = (typeof sources)[number];

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const quantity = v.pipe(v.number(), v.minValue(0));

/** It comes to the screen, and the file may have come from anywhere. */
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const LetterSumsSchema = v.object({ presented: count, correct: count, seekMs: quantity, seekCount: count });

const RoundLineSchema = v.object({
  /** 3 since speed counts spaces, 2 since rounds may not count; without one it is 1. Newer lines are left alone. */
  version: v.optional(v.picklist([1, 2, 3]), 1),
  /** When the round was finished, ISO 8601 UTC. */
  finished: v.pipe(v.string(), v.check(isInstant)),
  /** Right keystrokes / 5 per minute, without spaces. */
  wpm: quantity,
  /** Spaces counted; see `toStandardWpm`. */
  standardWpm: v.optional(quantity),
  /** Every character typed; 0 to 100; percent of the characters. Versions 1 and 2 did not keep them. */
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
  omitted: v.optional(count, 0),
  /** Whether the round says something about the typist: a pasted one does not. */
  counts: v.optional(v.boolean(), true),
  /** The limit that ended it before its text did. */
  ended: v.optional(v.picklist(endReasons)),
  /** Rules that made it harder, such as `stop-on-letter`. */
  rules: v.optional(v.array(name)),
  /** Such as `words-30`; rounds of earlier versions were all of that kind. */
  mode: v.optional(name, 'words-30'),
  language: v.optional(name, 'en'),
  layout: v.optional(name, 'qwerty'),
  /** What the typist calls a layout of their own; its id says nothing to them. */
  layoutName: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(60),
      v.transform((text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')),
    ),
  ),
  punctuation: v.boolean(),
  /** Per letter: times presented, right at the first keystroke, sum (ms) and number of measured seek times. */
  letters: v.record(v.string(), LetterSumsSchema),
  /** Wanted and typed letter, such as "e>r", and how often. */
  errors: v.record(v.string(), count),
  /** Keys whose interval could not be measured. */
  unmeasured: count,
  /** Two right letters one directly after the other: how often, and the sum of the seek times of the second, ms. */
  bigrams: v.optional(v.record(v.string(), v.object({ count, ms: quantity }))),
  /** The speed over the round, WPM, in equal spans of its time. */
  speeds: v.optional(v.array(quantity)),
  /** The program that it was typed in; rounds of one's own have none. */
  source: v.optional(v.picklist(sources)),
});

const RoundRecordSchema = v.pipe(
  RoundLineSchema,
  v.transform((line) => ({ ...line, standardWpm: line.standardWpm ?? toEarlierStandardWpm(line) })),
);

/**
 * The standard speed of a round of versions 1 and 2, which had thirty words and so 29 spaces. Exact but for mistakes that
 * were left in: those are missing, so the speed is never overstated.
 */
function toEarlierStandardWpm({ correct, seconds }: { correct: number; seconds: number }): number {
  return correct === 0 ? 0 : toWpm(correct + spacesOfThirtyWords - 1, seconds * 1000);
}

const spacesOfThirtyWords = 29;

/** A 31st of February has the form of a date, and no calendar knows it. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && text.endsWith('Z') && new Date(ms).toISOString().startsWith(text.slice(0, 19));
}

/** One finished round, as the client keeps it: one line of `runs.jsonl` or `imported.jsonl`. */
export type RoundRecord = v.InferOutput<typeof RoundRecordSchema>;

/** The round of a line; undefined where the line holds none. */
export function parseRoundLine(line: string): RoundRecord | undefined {
  try {
    const parsed = v.safeParse(RoundRecordSchema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** What tells a round from every other one, however much of it was kept. */
export function toIdentity({ source, finished, mode, seconds, total }: RoundRecord): string {
  return [source ?? '', finished, mode, seconds, total].join(' ');
}

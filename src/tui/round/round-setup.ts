import * as v from 'valibot';
import { RulesSchema, UploadedModeSchema } from '../../contract/session-setup.ts';
import { describeMode } from '../../typing/modes/mode.ts';
import type { Score } from '../../typing/statistics/score.ts';
import { standardWpmOf } from '../../typing/statistics/score-statistics.ts';

/** What ends a round before its text does. Only the client knows: to a server the round is unfinished. */
const LimitsSchema = v.object({
  /** Whether the first mistake ends the round. */
  suddenDeath: v.boolean(),
  /** Standard WPM, and percent of the keystrokes, below which the round ends; 0: no limit. */
  minWpm: v.number(),
  minAccuracy: v.number(),
});
export type RoundLimits = Readonly<v.InferOutput<typeof LimitsSchema>>;

const RoundSetupSchema = v.object({
  mode: UploadedModeSchema,
  language: v.string(),
  layout: v.string(),
  /** Indices of the words that end a line; empty if the text has no lines. */
  lineEnds: v.pipe(v.array(v.number()), v.readonly()),
  /** Columns that each of those lines begins with. */
  indents: v.pipe(v.array(v.number()), v.readonly()),
  /** What the words were chosen for, with the typist's time and the one to reach, ms; null: not known. */
  focus: v.pipe(
    v.array(v.object({ text: v.string(), ms: v.nullable(v.number()), targetMs: v.number() })),
    v.readonly(),
  ),
  /** Who said a quote, or where it is from; empty if unknown. */
  source: v.string(),
  limits: LimitsSchema,
});

/** What a round practises: as defined by the server, except for the limits, which only the client knows. */
export type RoundSetup = Readonly<v.InferOutput<typeof RoundSetupSchema>>;

/** A round to type, as a server or this program created it. */
export const RoundStartSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  words: v.pipe(v.array(v.string()), v.minLength(1), v.readonly()),
  rules: RulesSchema,
  punctuation: v.boolean(),
  roundSetup: RoundSetupSchema,
});
export type RoundStart = Readonly<v.InferOutput<typeof RoundStartSchema>>;

/** Whether its words form a text, which is shown as lines, with visible line ends. */
export function isReadAsText({ mode }: Pick<RoundSetup, 'mode'>): boolean {
  return describeMode(mode.type).isText === true;
}

/** Whether its words are source code, built in or from a folder. */
export function isCode(mode: RoundSetup['mode']): boolean {
  return mode.type === 'code' || (mode.type === 'text' && mode.code !== undefined);
}

/** What a round is about: a letter, or a pair of letters. */
export type Focus = RoundSetup['focus'][number];

/** Which limit has ended a round. */
export type EndReason = 'mistake' | 'slow' | 'inaccurate';

/** With fewer ms or keystrokes, speed and accuracy are chance. */
const minLimitMs = 5000;
const minLimitKeys = 25;

/**
 * The limit that the latest key has passed; undefined if there is none.
 *
 * @param active active ms of the round at that key
 */
export function endReasonOf(
  { suddenDeath, minWpm, minAccuracy }: RoundLimits,
  score: Score,
  active: number,
): EndReason | undefined {
  const { totalKeys, correctKeys, omitted } = score;
  if (suddenDeath && (correctKeys < totalKeys || omitted > 0)) return 'mistake';
  if (minWpm > 0 && active >= minLimitMs && standardWpmOf(score, active) < minWpm) return 'slow';
  const isFair = totalKeys >= minLimitKeys;
  return isFair && correctKeys * 100 < minAccuracy * totalKeys ? 'inaccurate' : undefined;
}

import { newProgress } from '../rules/progress.ts';
import { defaultRules, type Rules } from '../rules/rules.ts';
import { type KeyReport, step } from '../rules/step.ts';
import type { Word } from '../rules/word.ts';

/** When a round was typed, by the client's clock. Unix milliseconds, and milliseconds. */
export interface Timing {
  readonly start: number;
  readonly end: number;
  readonly duration: number;
}

/** The last millisecond of the year 9999: later ones have no ISO 8601 form that other programs read. */
export const maxUnixMs = 253_402_300_799_999;

/** A timed round with everything needed to compute any statistic. Plain JSON. */
export interface FinishedRound {
  /** Unique: a round that arrives twice counts once. */
  readonly id: string;
  readonly words: readonly Word[];
  /** Every key in order: a character, `spaceKey` or `backspaceKey`. */
  readonly keys: readonly string[];
  /** The seek time of each key in milliseconds; 0 means not measured. */
  readonly seekTimes: readonly number[];
  readonly timing: Timing;
  /** Defaults: the default rules, and `words-30` in English on QWERTY. */
  readonly rules?: Rules;
  readonly mode?: string;
  readonly language?: string;
  readonly layout?: string;
}

export interface RoundKind {
  /** Such as `words-30`. */
  readonly mode: string;
  readonly language: string;
  readonly layout: string;
}

export function kindOfRound({ mode, language, layout }: Partial<RoundKind>): RoundKind {
  return { mode: mode ?? 'words-30', language: language ?? 'en', layout: layout ?? 'qwerty' };
}

/** What was typed; `typedKeys` returns that of a running round. */
export type TypedKeys = Pick<FinishedRound, 'words' | 'keys' | 'seekTimes' | 'rules'>;

/** Replays the keys of a round and reports what each of them did, up to one that the rules refuse. */
export function replayRound(
  { words, keys, seekTimes, rules = defaultRules }: TypedKeys,
  onReport: (report: KeyReport) => void,
): void {
  const progress = newProgress();
  for (let index = 0; index < keys.length; index++) {
    if (progress.wordIndex >= words.length) return;
    const stepped = step(words, rules, progress, keys[index] as string, seekTimes[index] ?? 0);
    if ('problem' in stepped) return;
    onReport(stepped.report);
  }
}

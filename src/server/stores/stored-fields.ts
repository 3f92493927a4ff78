import * as v from 'valibot';
import { isMode, type Mode } from '../../typing/modes/mode.ts';
import type { Practice } from '../../typing/modes/practice.ts';
import { ruleValues } from '../../typing/rules/rules.ts';
import { type Word, wordsOf, wordText } from '../../typing/rules/word.ts';
import { maxUnixMs } from '../../typing/statistics/finished-round.ts';

/** The schema of each property as it is stored, so that a new property without one does not compile. */
export type FieldTable<T> = { readonly [Name in keyof T]-?: v.GenericSchema<unknown, T[Name]> };

export type FieldValues<Table extends Record<string, v.GenericSchema>> = {
  readonly [Name in keyof Table]: v.InferOutput<Table[Name]>;
};

/** The value of an object that was stored; missing fields stay missing. Throws if a field cannot be read. */
export function readFields<T>(table: FieldTable<T>, raw: unknown): T {
  return v.parse(v.object(table), raw) as T;
}

/** Only these fields of a value. */
export function pickFields<T>(table: FieldTable<T>, value: T): T {
  const names = Object.keys(table) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, value[name]])) as T;
}

/** Whether two values have the same fields; objects in them are compared by identity. */
export function haveSameFields<T>(table: FieldTable<T>, one: T, other: T): boolean {
  for (const name in table) if (one[name] !== other[name]) return false;
  return true;
}

/*
 * Fields that sessions and finished rounds have in common. Only their shape is checked, not the rules of the
 * game.
 */

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Words as they are stored: separated by spaces, which no word contains. */
export function spacedWords(words: readonly Word[]): string {
  return words.map(wordText).join(' ');
}

export const words = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.transform((text): readonly Word[] => wordsOf(text.split(' '))),
);

const unixMs = v.pipe(count, v.maxValue(maxUnixMs));

export const timing = v.object({ start: unixMs, end: unixMs, duration: count });

export const newBests = v.object({ wpm: v.boolean(), accuracy: v.boolean(), time: v.boolean() });

/** Of a mode, a language or a layout. */
export const nameShape = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

export const rulesShape = v.object({
  early_space: v.picklist(ruleValues.early_space),
  stop_on: v.picklist(ruleValues.stop_on),
  backspace: v.picklist(ruleValues.backspace),
});

export const practiceShape = v.object({
  mode: v.custom<Mode>(isMode),
  language: nameShape,
  layout: nameShape,
  rules: rulesShape,
  punctuation: v.boolean(),
}) satisfies v.GenericSchema<unknown, Practice>;

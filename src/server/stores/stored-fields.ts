import * as v from 'valibot';
import { isMode, type Mode } from '../../typing/modes/mode.ts';
import type { Practice } from '../../typing/modes/practice.ts';
import { ruleValues } from '../../typing/rules/rules.ts';
import { type Word, wordsOf, wordText } from '../../typing/rules/word.ts';
import type { Timing } from '../../typing/statistics/finished-round.ts';

/** How one field is stored as JSON. Undefined is stored as a missing field. */
export interface Field<T> {
  write(value: T): unknown;
  /** Throws if the value cannot be read. */
  read(raw: unknown): T;
}

/** One field for each property, so that a new property without a field does not compile. */
export type FieldTable<T> = { readonly [Name in keyof T]-?: Field<T[Name]> };

export type FieldValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Field<infer Value> ? Value : never;
};

/** A field that is stored as it is. */
export function plain<T>(schema: v.GenericSchema<unknown, T>): Field<T> {
  return { write: (value) => value, read: (raw) => v.parse(schema, raw) };
}

export function optional<T>({ write, read }: Field<T>): Field<T | undefined> {
  return {
    write: (value) => (value === undefined ? undefined : write(value)),
    read: (raw) => (raw === undefined ? undefined : read(raw)),
  };
}

/** An object of such fields, or null. */
export function nested<T>(table: FieldTable<T>): Field<T | null> {
  return {
    write: (value) => value && writeFields(table, value),
    read: (raw) => (raw === null ? null : readFields(table, raw)),
  };
}

/** The object that is stored for a value. */
export function writeFields<T>(table: FieldTable<T>, value: T): Record<string, unknown> {
  return Object.fromEntries(namesOf(table).map((name) => [name, table[name].write(value[name])]));
}

/** The value of such an object; missing fields stay missing. Throws if a field cannot be read. */
export function readFields<T>(table: FieldTable<T>, raw: unknown): T {
  const object = v.parse(v.record(v.string(), v.unknown()), raw);
  const entries = namesOf(table).map((name) => [name, table[name].read(object[name as string])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
}

/** Only these fields of a value. */
export function pickFields<T>(table: FieldTable<T>, value: T): T {
  return Object.fromEntries(namesOf(table).map((name) => [name, value[name]])) as T;
}

/** Whether two values have the same fields; objects in them are compared by identity. */
export function haveSameFields<T>(table: FieldTable<T>, one: T, other: T): boolean {
  for (const name in table) if (one[name] !== other[name]) return false;
  return true;
}

function namesOf<T>(table: FieldTable<T>): (keyof T)[] {
  return Object.keys(table) as (keyof T)[];
}

/*
 * Fields that sessions and finished rounds have in common. Only their shape is checked, not the rules of the
 * game.
 */

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const text = plain(v.string());

/** Separated by spaces: no word contains one. */
export const words: Field<readonly Word[]> = {
  write: (value) => value.map(wordText).join(' '),
  read: (raw) => wordsOf(v.parse(v.pipe(v.string(), v.nonEmpty()), raw).split(' ')),
};

export const timing: Field<Timing> = plain(v.object({ start: count, end: count, duration: count }));

export const newBests = plain(v.object({ wpm: v.boolean(), accuracy: v.boolean(), time: v.boolean() }));

/** Of a mode, a language or a layout. */
export const nameShape = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

export const rulesShape = v.object({
  earlySpace: v.picklist(ruleValues.earlySpace),
  stopOn: v.picklist(ruleValues.stopOn),
  backspace: v.picklist(ruleValues.backspace),
});

export const practiceShape = v.object({
  mode: v.custom<Mode>(isMode),
  language: nameShape,
  layout: nameShape,
  rules: rulesShape,
  punctuation: v.boolean(),
}) satisfies v.GenericSchema<unknown, Practice>;

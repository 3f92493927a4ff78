import * as v from 'valibot';
import { toWords, toWordText, type Word } from '../../typing/rules/word.ts';
import type { Timing } from '../../typing/statistics/finished-round.ts';
import { type Field, plain } from './field-table.ts';

/* Fields that sessions and finished rounds have in common. */

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const text = plain(v.string());

/** Separated by blanks: no word contains one. */
export const wordsField: Field<readonly Word[]> = {
  write: (words) => words.map(toWordText).join(' '),
  read: (raw) => toWords(v.parse(v.pipe(v.string(), v.nonEmpty()), raw).split(' ')),
};

export const timingField: Field<Timing> = plain(v.object({ start: count, end: count, duration: count }));

export const newBestsField = plain(v.object({ wpm: v.boolean(), accuracy: v.boolean(), time: v.boolean() }));

export const clientNameField = plain(v.pipe(v.string(), v.maxLength(40)));

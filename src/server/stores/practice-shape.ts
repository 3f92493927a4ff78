// The practice of a session as it is kept. Only its shape is checked, not the rules of the game.
import * as v from 'valibot';
import type { Practice } from '../../typing/modes/practice.ts';
import { ruleValues } from '../../typing/rules/rules.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** Of a mode, a language or a layout. */
export const nameShape = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const mode = v.variant('type', [
  v.object({ type: v.literal('words'), count }),
  v.object({ type: v.literal('time'), seconds: count }),
  v.object({ type: v.literal('text'), text: v.string(), title: v.exactOptional(v.string()) }),
  v.object({ type: v.literal('quote'), length: v.picklist(['short', 'medium', 'long', 'any']) }),
  v.object({ type: v.literal('code'), language: nameShape }),
  v.object({
    type: v.literal('drill'),
    on: v.picklist(['letters', 'bigrams', 'words']),
    text: v.exactOptional(v.string()),
  }),
  v.object({ type: v.literal('guided') }),
]);

export const keyboardShape = v.object({
  id: nameShape,
  name: v.string(),
  rows: v.pipe(v.array(v.pipe(v.array(v.string()), v.readonly())), v.length(4), v.readonly()),
  fingers: v.record(v.string(), v.number()),
});

export const rulesShape = v.object({
  earlySpace: v.picklist(ruleValues.earlySpace),
  stopOn: v.picklist(ruleValues.stopOn),
  backspace: v.picklist(ruleValues.backspace),
});

export const practiceShape = v.object({
  mode,
  language: nameShape,
  layout: nameShape,
  keyboard: v.exactOptional(keyboardShape),
  rules: rulesShape,
  punctuation: v.boolean(),
}) satisfies v.GenericSchema<unknown, Practice>;

// The practice of a session as stored in files. Only its shape is checked, not the rules of the game. Missing fields are from
// before they could be chosen.
import * as v from 'valibot';
import { defaultPractice, type Practice } from '../../typing/modes/practice.ts';
import { ruleValues } from '../../typing/rules/rules.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const mode = v.variant('type', [
  v.object({ type: v.literal('words'), count }),
  v.object({ type: v.literal('time'), seconds: count }),
  v.object({ type: v.literal('text'), text: v.string(), title: v.exactOptional(v.string()) }),
  v.object({ type: v.literal('quote'), length: v.picklist(['short', 'medium', 'long', 'any']) }),
  v.object({ type: v.literal('code'), language: id }),
  v.object({
    type: v.literal('drill'),
    on: v.picklist(['letters', 'bigrams', 'words']),
    text: v.exactOptional(v.string()),
  }),
  v.object({ type: v.literal('guided') }),
]);

const keyboard = v.object({
  id,
  name: v.string(),
  rows: v.pipe(v.array(v.pipe(v.array(v.string()), v.readonly())), v.length(4), v.readonly()),
  fingers: v.record(v.string(), v.number()),
});

const rulesShape = v.object({
  earlySpace: v.picklist(ruleValues.earlySpace),
  stopOn: v.picklist(ruleValues.stopOn),
  backspace: v.picklist(ruleValues.backspace),
});

export const practiceShape = v.object({
  mode: v.optional(mode, defaultPractice.mode),
  language: v.optional(id, defaultPractice.language),
  layout: v.optional(id, defaultPractice.layout),
  keyboard: v.exactOptional(keyboard),
  rules: v.optional(rulesShape, defaultPractice.rules),
  punctuation: v.boolean(),
}) satisfies v.GenericSchema<unknown, Practice>;

/** How a finished round was typed: its kind. */
export const roundKindEntries = {
  mode: v.exactOptional(id),
  language: v.exactOptional(id),
  layout: v.exactOptional(id),
  keyboard: v.exactOptional(keyboard),
  rules: v.exactOptional(rulesShape),
};

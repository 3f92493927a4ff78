// The practice of a session as it is kept. Only its shape is checked, not the rules of the game.
import * as v from 'valibot';
import { isMode, type Mode } from '../../typing/modes/mode.ts';
import type { Practice } from '../../typing/modes/practice.ts';
import { ruleValues } from '../../typing/rules/rules.ts';

/** Of a mode, a language or a layout. */
export const nameShape = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const mode = v.custom<Mode>(isMode);

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

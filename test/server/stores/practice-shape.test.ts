import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { practiceShape } from '../../../src/server/stores/stored-fields.ts';
import { qwerty } from '../../../src/typing/letters/layout.ts';
import { type Mode, modes, modeTypes } from '../../../src/typing/modes/mode.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { defaultRules, ruleValues } from '../../../src/typing/rules/rules.ts';

const kept: readonly Mode[] = [
  { type: 'words', count: 1 },
  ...modeTypes.map((type) => modes[type].example as Mode),
  { type: 'text', text: 'a text' },
  ...(['short', 'medium', 'long', 'any'] as const).map((length): Mode => ({ type: 'quote', length })),
  { type: 'code', language: 'python' },
  ...(['letters', 'bigrams', 'words'] as const).map((on): Mode => ({ type: 'drill', on })),
  { type: 'drill', on: 'letters', text: 'q w e' },
];

const read = (practice: object) => {
  const { success, output } = v.safeParse(practiceShape, practice);
  return success ? output : 'refused';
};

describe('the practice of a session that was kept', () => {
  it.each(kept)('is what was written, in the mode %j', (mode) => {
    const practice = { ...defaultPractice, mode, language: 'de', layout: 'my-layout', keyboard: qwerty };
    expect(read(JSON.parse(JSON.stringify(practice)))).toEqual(practice);
  });

  it.each(
    Object.entries(ruleValues).flatMap(([rule, values]) => values.map((value) => [rule, value] as const)),
  )('keeps its rule %s, %s', (rule, value) => {
    const rules = { ...defaultRules, [rule]: value };
    expect(read({ ...defaultPractice, rules })).toEqual({ ...defaultPractice, rules });
    expect(read({ ...defaultPractice, rules: { ...rules, [rule]: 'other' } })).toBe('refused');
  });

  it.each<[string, object]>([
    ['no punctuation', { punctuation: undefined }],
    ['an unknown mode', { mode: { type: 'other' } }],
    ['a language that is a path', { language: '../de' }],
    ['a layout with a name of 65 characters', { layout: 'x'.repeat(65) }],
    ['a keyboard with three rows', { keyboard: { ...qwerty, rows: qwerty.rows.slice(1) } }],
    ['a keyboard whose keys are numbers', { keyboard: { ...qwerty, rows: [[1], [], [], []] } }],
    ['a rule too few', { rules: { earlySpace: 'error', stopOn: 'none' } }],
  ])('is refused with %s', (_, damage) => {
    expect(read({ ...defaultPractice, ...damage })).toBe('refused');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missedText } from '../../../src/tui/round/scoring.ts';
import { problemOfText } from '../../../src/typing/modes/text.ts';
import { defaultRules } from '../../../src/typing/rules/rules.ts';
import { roundOf, typeText } from './round-picture.ts';

const words = ['the', 'quick', 'brown', 'fox'];

describe('the words to practise after a round', () => {
  test('are those with a wrong key, corrected or not, and those with letters left out, three times', () => {
    const round = typeText(roundOf(words, { ...defaultRules, early_space: 'skip' }), 'the quix<ck brpwn fo ');
    expect(missedText(round)).toBe('quick brown fox quick brown fox quick brown fox');
  });

  test('are always a text that can be typed, however the round went', () => {
    const key = fc.constantFrom(...'thequickbrownfx <#');
    fc.assert(
      fc.property(fc.array(key, { maxLength: 80 }), (keys) => {
        const text = missedText(typeText(roundOf(words), keys.join('')));
        if (text !== '') expect(problemOfText(text)).toBeUndefined();
        for (const word of text.split(' ')) expect(['', ...words]).toContain(word);
      }),
    );
  });
});

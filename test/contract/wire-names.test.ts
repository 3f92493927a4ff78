import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { RoundSchema } from '../../src/contract/answer-types.ts';
import { wireMode } from '../../src/contract/session-setup.ts';
import { wireRoundStart, wireState } from '../../src/contract/typing-answers.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { newRound } from '../../src/typing/round.ts';

// All figures are compared under the names of the wire with a second computation: see typing/statistics-laws.test.ts.

const words = ['cat', 'dog', 'is', 'fish', 'ox'];
const practice = {
  ...defaultPractice,
  mode: { type: 'text', text: 'cat dog is fish ox', title: 'Pets' },
  rules: { early_space: 'skip', stop_on: 'word', backspace: 'none' },
  punctuation: true,
} as const;
const round = newRound('5b0bbe4f-2f0c-4a92-8f0e-6d1f1a6e8e57', words, practice, [1, 4]);
const setup = {
  round_id: '5b0bbe4f-2f0c-4a92-8f0e-6d1f1a6e8e57',
  mode: { type: 'text', title: 'Pets' },
  language: 'en',
  layout: 'qwerty',
  rules: practice.rules,
  line_ends: [1, 4],
};

describe('the start of a round', () => {
  test('counts words and characters', () => {
    const start = wireRoundStart({ round });
    expect(start).toEqual({ words, total_words: 5, total_characters: 14, ...setup });
    expect(v.parse(RoundSchema, start)).toEqual(start);
  });

  test('has indents, and what the words were chosen for, if there are any', () => {
    const focus = [{ text: 'th', ms: null, targetMs: 120 }];
    const round = newRound('r', ['a'], undefined, [0], [4]);
    expect(wireRoundStart({ round, focus })).toMatchObject({
      indents: [4],
      focus: [{ text: 'th', ms: null, target_ms: 120 }],
    });
    expect(wireRoundStart({ round, source: 'A book' }).source).toBe('A book');
  });

  test('is its state, with the words around the first one', () => {
    expect(wireState(round)).toMatchObject({
      ...{ words, current_word_idx: 0, word_number: 1, total_words: 5, current_input: '', last_seq: 0 },
      ...{ previous_word: '', current_word: 'cat', next_word: 'dog', next_words: ['dog', 'is', 'fish'] },
      ...{ timer_started: false, live_wpm: 0, punctuation_mode: true, ...setup },
    });
  });
});

describe('how a round is set up', () => {
  test('a mode leaves out a custom text, and a list of words', () => {
    expect(wireMode({ type: 'words', count: 10, list: ['secret'] })).toStrictEqual({
      type: 'words',
      count: 10,
    });
    expect(wireMode({ type: 'text', text: 'secret' })).toStrictEqual({ type: 'text' });
    expect(wireMode({ type: 'text', text: 'secret', title: 'T' })).toEqual({ type: 'text', title: 'T' });
    expect(wireMode({ type: 'drill', on: 'words', text: 'secret' })).toEqual({
      type: 'drill',
      on: 'words',
    });
    expect(wireMode({ type: 'time', seconds: 60 })).toEqual({ type: 'time', seconds: 60 });
  });
});

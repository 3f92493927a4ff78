import { describe, expect, it } from 'vitest';
import { sessionStatistics } from '../../src/typing/game-state.ts';
import { newRound, reduceRound } from '../../src/typing/round.ts';
import { newInput } from '../../src/typing/round-input.ts';
import { readInput } from '../../src/typing/rules/progress.ts';
import { wordOf } from '../../src/typing/rules/word.ts';
import { draw, type } from './typed-round.ts';

describe('early space: skip', () => {
  const skip = { earlySpace: 'skip' } as const;

  it('ends a word that was begun, and counts missing letters as omitted', () => {
    const { round, results } = type('about dog', 'abo_', 100, skip);
    expect(draw(round)).toBe('*about|[]');
    expect(results.at(-1)).toEqual({
      type: 'space',
      advanced: true,
      roundComplete: false,
      treatedAsError: false,
    });
    expect(sessionStatistics(round)).toMatchObject({
      omitted: 2,
      totalKeys: 3,
      correctKeys: 3,
      accuracy: 100,
    });
  });

  it('ends the round if the last word was begun', () => {
    expect(type('about dog', 'a_d_', 100, skip).results.at(-1)).toMatchObject({ roundComplete: true });
  });

  it('still makes a space before the first letter of a word an error', () => {
    expect(draw(type('about dog', 'a__', 100, skip).round)).toBe('*about|[!_]');
  });
});

describe('stop on a wrong letter', () => {
  const stop = { stopOn: 'letter' } as const;

  it('counts the wrong key and keeps it out', () => {
    const { round, results } = type('cat dog', 'cxxa', 100, stop);
    expect(draw(round)).toBe('*[ca]|dog');
    expect(results.map((result) => 'charIndex' in result && [result.isCorrect, result.charIndex])).toEqual([
      [true, 0],
      [false, 1],
      [false, 1],
      [true, 1],
    ]);
    expect(sessionStatistics(round)).toMatchObject({
      totalKeys: 4,
      correctKeys: 2,
      correctedErrorRate: 50,
    });
  });

  it('keeps a space in the middle of a word and characters past its end out too', () => {
    expect(draw(type('cat dog', 'c_atsss', 100, stop).round)).toBe('*[cat]|dog');
    expect(type('cat dog', 'c_', 100, stop).results.at(-1)).toMatchObject({ treatedAsError: true });
  });
});

describe('stop on a word with mistakes', () => {
  const stop = { stopOn: 'word' } as const;

  it('does not leave it, and does not count the space', () => {
    const { round, results } = type('cat dog', 'cxt_', 100, stop);
    expect(draw(round)).toBe('*[c!xt]|dog');
    expect(results.at(-1)).toEqual({
      type: 'space',
      advanced: false,
      roundComplete: false,
      treatedAsError: false,
    });
    expect(round.score.totalKeys).toBe(3);
    expect(draw(type('cat dog', 'cxt_<<at_', 100, stop).round)).toBe('*cat|[]');
  });

  it('treats a word that would be skipped as one with mistakes', () => {
    expect(draw(type('cat dog', 'ca_', 100, { ...stop, earlySpace: 'skip' }).round)).toBe('*[ca]|dog');
  });
});

describe('no backspace', () => {
  it('refuses it with the length unchanged', () => {
    const { round, results } = type('cat dog', 'cx<', 100, { backspace: 'none' });
    expect(results.at(-1)).toEqual({ type: 'backspace', success: false, newLength: 2 });
    expect(draw(round)).toBe('*[c!x]|dog');
  });

  it.each(['free', 'word'] as const)('%s reaches back to the beginning of the word', (backspace) => {
    expect(draw(type('cat dog', 'cat_d<<<', 100, { backspace }).round)).toBe('*cat|[]');
  });
});

describe('letters typed again', () => {
  it('earn nothing, right or with a mistake between them', () => {
    const { round } = type('cat dog', 'ca<a<<ca', 100);
    expect(sessionStatistics(round)).toMatchObject({ totalKeys: 2, correctKeys: 2 });
    const mended = type('cat dog', 'cx<a<a', 100).round;
    expect(sessionStatistics(mended)).toMatchObject({ totalKeys: 3, correctKeys: 2 });
    expect(sessionStatistics(type('cat cat', 'cat_cat', 100).round)).toMatchObject({ correctKeys: 6 });
  });

  it('every wrong key counts each time', () => {
    const { round } = type('cat dog', 'x<x<x<c', 100);
    expect(sessionStatistics(round)).toMatchObject({ totalKeys: 4, correctKeys: 1 });
  });
});

describe('words of other scripts', () => {
  it('are typed character by character, composed or not', () => {
    const words = ['e\u0301te\u0301', 'x👩‍👩‍👧y', 'नमस्ते'].map(wordOf);
    let round = newRound('r', words);
    for (const key of [
      'é',
      't',
      'e\u0301',
      ' ',
      'x',
      '👩‍👩‍👧',
      '\b',
      '👩‍👩‍👧',
      'y',
      ' ',
      'न',
      'म',
      'स्ते',
      ' ',
    ]) {
      const reduction = reduceRound(round, newInput(key));
      if ('problem' in reduction) throw new Error(reduction.problem.message);
      round = reduction.round;
      if (key === '👩‍👩‍👧') expect(readInput(round.progress)).toEqual(['x', '👩‍👩‍👧']);
    }
    expect(round.score).toMatchObject({ totalKeys: 9, correctKeys: 9, wrong: 0 });
    expect(round.progress.wordIndex).toBe(3);
  });
});

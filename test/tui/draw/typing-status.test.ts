import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { drawTypingStatus } from '../../../src/tui/draw/typing-status.ts';
import { createLook } from '../../../src/tui/look/look.ts';
import { defaultOptions, type Options } from '../../../src/tui/record/options.ts';
import { usualPractised } from '../../../src/tui/round/practised.ts';
import { newLocalRound } from '../../../src/tui/round/round.ts';
import { newApp } from '../../../src/tui/state/app-state.ts';
import { defaultRules, type Rules } from '../../../src/typing/rules/rules.ts';
import { typeText } from '../round/round-picture.ts';

const look = createLook({ theme: 'ember', ascii: false }, 8);

function drawStatus(
  typed: string,
  {
    options = {},
    rules = {},
    lineEnds = [],
  }: { options?: Partial<Options>; rules?: Partial<Rules>; lineEnds?: number[] } = {},
): string {
  const practised = { ...usualPractised, lineEnds };
  const round = typeText(newLocalRound(['the', 'cat'], { ...defaultRules, ...rules }, practised), typed);
  return drawTypingStatus(look, { ...newApp({ ...defaultOptions, ...options }), round }, 38);
}

test('when only the key that ends the round is missing, a quiet line names it, on a terminal of 40 columns', () => {
  const end = drawStatus('the cat');
  expect(stripVTControlCharacters(end)).toBe('Space ends the round.');
  expect(end).toBe(look.paint('faint', 'Space ends the round.'));
  const textOf = (...args: Parameters<typeof drawStatus>) => stripVTControlCharacters(drawStatus(...args));
  expect(textOf('the cax')).toBe('Space ends the round.');
  expect(textOf('the catsss', { lineEnds: [1] })).toBe('Space or Enter ends the round.');
  expect(textOf('the cat', { options: { advance: 'either' } })).toBe('Space or Enter ends the round.');
  // It takes the place of the pace, of which there is nothing more to say.
  expect(textOf('the cat', { options: { pace: 60 } })).toBe('Space ends the round.');
});

test('nothing is said of the end before the last letter, or while a mistake must be corrected', () => {
  expect(drawStatus('the')).toBe('');
  expect(drawStatus('the ca')).toBe('');
  expect(drawStatus('the cax', { rules: { stopOn: 'word' } })).toBe('');
});

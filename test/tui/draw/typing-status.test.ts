import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { drawTypingStatus } from '../../../src/tui/draw/typing-status.ts';
import { createLook } from '../../../src/tui/look/look.ts';
import { defaultOptions, type Options } from '../../../src/tui/record/options.ts';
import { usualPractised } from '../../../src/tui/round/practised.ts';
import { newLocalRound } from '../../../src/tui/round/round.ts';
import { type App, newApp } from '../../../src/tui/state/app-state.ts';
import { defaultRules, type Rules } from '../../../src/typing/rules/rules.ts';
import { typeText } from '../round/round-picture.ts';

const look = createLook({ theme: 'ember', ascii: false }, 8);

function drawStatus(
  typed: string,
  {
    options = {},
    rules = {},
    lineEnds = [],
    app = {},
    width = 38,
  }: {
    options?: Partial<Options>;
    rules?: Partial<Rules>;
    lineEnds?: number[];
    app?: Partial<App>;
    width?: number;
  } = {},
): string {
  const practised = { ...usualPractised, lineEnds };
  const round = typeText(newLocalRound(['the', 'cat'], { ...defaultRules, ...rules }, practised), typed);
  return drawTypingStatus(look, { ...newApp({ ...defaultOptions, ...options }), round, ...app }, width);
}

test('where the last word is wrong, a quiet line names the key that ends the round, on a terminal of 40 columns', () => {
  const end = drawStatus('the cax');
  expect(stripVTControlCharacters(end)).toBe('Space ends the round.');
  expect(end).toBe(look.paint('faint', 'Space ends the round.'));
  const textOf = (...args: Parameters<typeof drawStatus>) => stripVTControlCharacters(drawStatus(...args));
  expect(textOf('the caxsss', { lineEnds: [1] })).toBe('Space or Enter ends the round.');
  expect(textOf('the cax', { options: { advance: 'either' } })).toBe('Space or Enter ends the round.');
  // It takes the place of the pace, of which there is nothing more to say.
  expect(textOf('the cax', { options: { pace: 60 } })).toBe('Space ends the round.');
});

test('it is named before anything else: what waits for a server, or a notice, would leave the typist with nothing to do', () => {
  const away = { confirmed: 0, total: 31, away: 'no answer', lost: '' };
  const textOf = (app: Partial<App>, width = 78) =>
    stripVTControlCharacters(drawStatus('the cax', { app, width }));
  expect(textOf({ delivery: away }, 38)).toBe('Space ends the round.');
  expect(textOf({ delivery: away })).toBe('Space ends the round. Server away: 31 keys waiting.');
  expect(textOf({ notice: 'Paste ignored: only typing counts.' })).toBe(
    'Space ends the round. Paste ignored: only typing counts.',
  );
  expect(textOf({ asks: 'leave' })).toMatch(/^Esc again discards/);
});

test('what is said at the start leaves its place to what is said always, where there is room for both', () => {
  const goal = { minutes: 15, done: 7, streak: 0 };
  const notice = 'A round cut off at word 10 waits for 127.0.0.1:9801.';
  const app = { notice, goal };
  expect(stripVTControlCharacters(drawStatus('', { app, width: 78 }))).toMatch(/9801\. \d+ of \d+ min today/);
  expect(stripVTControlCharacters(drawStatus('', { app, width: 60 }))).toBe(notice);
});

test('nothing is said of the end before the last letter, or while a mistake must be corrected', () => {
  expect(drawStatus('the')).toBe('');
  expect(drawStatus('the ca')).toBe('');
  expect(drawStatus('the cax', { rules: { stopOn: 'word' } })).toBe('');
});

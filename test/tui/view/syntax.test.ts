import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createLook } from '../../../src/tui/look/look.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import { drawLines } from '../../../src/tui/view/lines.ts';
import { syntaxOf } from '../../../src/tui/view/syntax.ts';
import { defaultRoundSetup, roundOf, typeText } from '../round/round-picture.ts';

const lines = ['if (a > 10) return "no way"; // for now', "const it's = new Set();"];
const words = lines.join(' ').split(' ');
const lineEnds = [lines[0]?.split(' ').length ?? 0, words.length].map((count) => count - 1);

const roundIn = (mode: (typeof defaultRoundSetup)['mode']) =>
  roundOf(words, undefined, { ...defaultRoundSetup, mode, lineEnds });
const code = roundIn({ type: 'text', title: 'a.ts:1-2', code: 'typescript' });

test('keywords, numbers, texts in quotes and comments of code have styles', () => {
  const styled = syntaxOf(code).map((styles, at) => `${words[at]} ${[...new Set(styles)].join()}`);
  expect(styled).toEqual([
    ...['if keyword', '(a ', '> ', '10) number,', 'return keyword', '"no string', 'way"; string,'],
    ...['// comment', 'for comment', 'now comment'],
    ...['const keyword', "it's ", '= ', 'new keyword', 'Set(); '],
  ]);
});

test('what a comment is depends on the language; prose has no styles', () => {
  const python = syntaxOf(roundIn({ type: 'code', language: 'python' }));
  expect(python[8]).toEqual(['keyword', 'keyword', 'keyword']);
  expect(syntaxOf(roundIn({ type: 'text', title: 'a.txt' }))).toEqual([]);
});

test('colours never change what is written, and what is typed looks as everywhere', () => {
  const typed = typeText(code, 'if (a > x');
  const shown = { round: typed, width: 72, rows: 10, pace: undefined };
  const draw = (depth: number) => drawLines({ ...shown, look: createLook(defaultOptions, depth) });
  const coloured = draw(8).join('\n');
  expect(stripVTControlCharacters(coloured)).toBe(draw(1).map(stripVTControlCharacters).join('\n'));
  expect(coloured).toContain('\x1b[35mreturn\x1b[0m');
  expect(coloured).not.toContain('\x1b[35mi');
});

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawFlowingText } from '../../../src/tui/draw/flowing-text.ts';
import { createLook } from '../../../src/tui/look/look.ts';
import { usualPractised } from '../../../src/tui/round/practised.ts';
import { newLocalRound } from '../../../src/tui/round/round.ts';
import { defaultRules } from '../../../src/typing/rules/rules.ts';
import { typeText } from '../round/round-picture.ts';

const testLook = createLook({ theme: 'ember', ascii: false }, 24);
const word = fc.string({ unit: fc.constantFrom(...'abcdeéß'), minLength: 1, maxLength: 9 });

test('no row moves while a text is typed without mistakes, at the end of a word neither', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 2, maxLength: 40 }),
      fc.integer({ min: 20, max: 80 }),
      fc.uniqueArray(fc.nat(39), { maxLength: 4 }),
      (words, width, ends) => {
        const lineEnds = ends.filter((at) => at < words.length - 1).sort((one, other) => one - other);
        const draw = (round: ReturnType<typeof newLocalRound>) =>
          drawFlowingText(testLook, round, width, 200).map((row) =>
            stripVTControlCharacters(row).replace(testLook.signs.lineEnd, '').trimEnd(),
          );
        let round = newLocalRound(words, defaultRules, { ...usualPractised, lineEnds });
        const rows = draw(round);
        for (const key of words.join(' ')) {
          round = typeText(round, key);
          expect(draw(round)).toEqual(rows);
        }
      },
    ),
  );
});

test('a row has room for the caret behind its last word', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 2, maxLength: 40 }),
      fc.integer({ min: 20, max: 80 }),
      (words, width) => {
        let round = newLocalRound(words);
        for (const key of words.join(' ')) {
          round = typeText(round, key);
          for (const row of drawFlowingText(testLook, round, width, 200)) {
            expect(stripVTControlCharacters(row).length).toBeLessThanOrEqual(width);
          }
        }
      },
    ),
  );
});

test('a word that ends a row, and no line, is followed by the sign of a space while it is typed', () => {
  const practised = { ...usualPractised, mode: { type: 'text', title: 'poem.txt' } as const, lineEnds: [4] };
  const list = ['eins', 'zwei', 'drei', 'vier', 'ende', 'neu'];
  const draw = (typed: string, more = practised) =>
    drawFlowingText(testLook, typeText(newLocalRound(list, defaultRules, more), typed), 16, 20).flatMap(
      (row) => {
        const text = stripVTControlCharacters(row);
        return text.trim() === '' ? [] : [text];
      },
    );
  expect(draw('eins zwei ')).toEqual(['eins zwei drei␣', 'vier ende', 'neu']);
  expect(draw('eins zwei drei')).toEqual(['eins zwei drei␣', 'vier ende', 'neu']);
  expect(draw('eins zwei drei vier ')).toEqual(['eins zwei drei', 'vier ende↵', 'neu']);
  expect(draw('eins zwei drei vier ende ne')).toEqual(['eins zwei drei', 'vier ende', 'neu']);
  const words = { ...practised, mode: usualPractised.mode as never };
  expect(draw('eins zwei ', words)).toEqual(['eins zwei drei', 'vier ende', 'neu']);
});

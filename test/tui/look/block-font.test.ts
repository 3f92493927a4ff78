import { describe, expect, test } from 'vitest';
import { readLanguages } from '../../../src/server/stores/languages.ts';
import { openLibrary } from '../../../src/server/typing/library.ts';
import { blockLetter, hasBlockLetters } from '../../../src/tui/look/block-font.ts';

const draw = (word: string) => {
  const letters = [...word].map((letter) => blockLetter(letter, false));
  return [0, 1, 2, 3, 4].map((row) =>
    letters
      .map((letter) => letter[row])
      .join(' ')
      .trimEnd(),
  );
};

describe('block letters with marks', () => {
  test('dots and accents are above the body, which keeps its line', () => {
    expect(draw('üe')).toEqual(['▀▀  ▀▀', '██  ██ ▄█▀▀█▄', '██  ██ ██▀▀▀▀', '▀█▄▄██ ▀█▄▄▄▄', '']);
    expect(draw('éç')).toEqual([' ▄▄▀▀', ' ▄▄▄▄  ▄█▀▀▀▀', '██▄▄██ ██', '▀█▄▄▄▄ ▀█▄▄▄▄', '        ▄█▀']);
  });

  test('a capital is lowered under its mark, and a caron is beside a high letter', () => {
    expect(draw('Ü')).toEqual(['▀▀  ▀▀', '██  ██', '██  ██', '▀█▄▄█▀', '']);
    expect(draw('ď')).toEqual(['    ██ ██', '▄█▀▀██ ▀', '██  ██', '▀█▄▄██', '']);
  });

  test.each(['я', 'σ', '日', '\u0308', 'a\u0308\u0301', 'd\u0308', ''])(
    '%j is not in the font',
    (character) => {
      expect(hasBlockLetters([character])).toBe(false);
    },
  );

  test('every word of a language in Latin letters can be drawn, also with a capital', () => {
    const otherAlphabets = ['bg', 'el', 'ru', 'uk'];
    const library = openLibrary();
    for (const { id } of readLanguages().values()) {
      if (otherAlphabets.includes(id)) continue;
      const missing = library
        .wordsOf(id)
        .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)])
        .filter((word) => !hasBlockLetters([...word]));
      expect([id, missing]).toEqual([id, []]);
    }
  });
});

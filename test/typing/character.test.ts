import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charactersOf, wordsOf } from '../../src/typing/rules/word.ts';

const segmenter = new Intl.Segmenter('en');
const whole = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** What a word is by one look at it alone. */
const expectedWord = (text: string) => {
  const normal = text.normalize('NFC');
  const characters = whole(normal);
  return characters.length === normal.length ? normal : characters;
};

it('no character of the basic plane is split differently from what the segmenter says, in whatever word', () => {
  const texts = Array.from({ length: 0x10000 - 0x21 }, (_, at) => {
    const char = String.fromCharCode(at + 0x21);
    return `${char}a${char}${char}\u4e2d${char}\uac00${char}\u0628`;
  });
  const wrong = wordsOf(texts).flatMap((word, at) =>
    JSON.stringify(word) === JSON.stringify(expectedWord(texts[at] as string)) ? [] : [at + 0x21],
  );
  expect(wrong).toEqual([]);
});

describe('a long text', () => {
  /** What joins with its neighbours by a rule of its own, and what never does. */
  const pieces = [
    ...[
      'a',
      'Ж',
      '漢',
      'ا',
      '\u0600',
      '\u0301',
      '\u0483',
      '\ud838\udd30',
      '\u200d',
      '\ufe0f',
      '\u200c',
      '\r',
      '\n',
    ],
    ...['🇩', '🇪', '🇩🇪', '👩', '👩‍👩‍👧‍👦', '👍🏽', '🏽', '©', '🏴', '\u{e0067}', '\u{e007f}', '1\ufe0f\u20e3'],
    ...['\u1100', '\u1161', '\u11a8', '가', '각', 'ᄒ', '\ud83d', '\udc4d', '\u{11041}', '\u{1e000}'],
    ...[
      'क',
      '\u094d',
      'ष',
      '\u093c',
      'ि',
      '\u09cd',
      'ক',
      'ക',
      '\u0d4d',
      'ക്ഷ',
      'ำ',
      'ก',
      '\u0e33',
      '\u200b',
      '\u00ad',
    ],
  ];
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...pieces) },
    { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 0x300, max: 0xffff }).map((code) => String.fromCharCode(code)),
    },
  );
  /** Repeated, so that any of them lies across any boundary of slices. */
  const run = fc.tuple(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 80 }));

  it('is split into the same characters as when segmented at once, in any scripts', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 6 }), (runs) => {
        const text = runs.map(([parts, times]) => parts.join('').repeat(times)).join('');
        expect(charactersOf(text)).toEqual(whole(text));
      }),
      { numRuns: 300 },
    );
  });
});

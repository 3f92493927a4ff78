import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createKeyReader } from '../../../src/tui/terminal/keys.ts';

/** The keys of one text, drawn as text: characters as they are, the others in brackets. */
function parse(text: string | Uint8Array): string {
  const reader = createKeyReader();
  const bytes = Buffer.from(text);
  return draw([...reader.push(bytes, 0), ...reader.flush(0)]);
}

function draw(keys: readonly { name: string; text: string }[]): string {
  return keys.map(({ name, text }) => (name === 'character' ? text : `[${name}]`)).join('');
}

describe('the key reader', () => {
  test.each([
    ['letters that came together are single keys', 'the', 'the'],
    ['space, Enter and Tab inside a chunk are keys of their own', 'a b\rc\td', 'a[space]b[enter]c[tab]d'],
    [
      'Ctrl+W and Alt+Backspace delete a word',
      '\x17\x1b\x7f\x1b\b',
      '[delete-word][delete-word][delete-word]',
    ],
    ['other control keys mean nothing', 'a\x00\x01\x05\x1c\x1fb', 'ab'],
    [
      'arrows in both modes, with and without modifiers',
      '\x1b[A\x1bOB\x1b[1;5C\x1b[D',
      '[up][down][right][left]',
    ],
    ['paging keys', '\x1b[5~\x1b[6~\x1b[H\x1b[F\x1b[1~\x1b[4~', '[page-up][page-down][home][end][home][end]'],
    ['F1 of all kinds of terminals', '\x1bOP\x1b[11~\x1b[[A\x1b[1;2P', '[f1][f1][f1][f1]'],
    ['focus reports are no letters', '\x1b[Ia\x1b[Ob', '[focus-in]a[focus-out]b'],
    ['a lone Esc is the key', '\x1b', '[escape]'],
    ['Esc before an arrow stays Esc and arrow', '\x1b\x1b[A', '[escape][up]'],
    ['a paste is one key, whatever it contains', 'a\x1b[200~rm -rf\r\x1b[A\x03é\x1b[201~b', 'a[paste]b'],
    ['answers of the terminal are swallowed', 'a\x1b]11;rgb:00/00/00\x07b\x1bP>|xterm\x1b\\c', 'abc'],
    ['mouse reports that another program left on are swallowed', 'a\x1b[<0;10;20Mb\x1b[<0;10;20mc', 'abc'],
    ['a sequence broken by another starts over', '\x1b[1\x1b[B', '[down]'],
    ['a sequence broken by a letter from elsewhere lets it through', '\x1b[1éa', 'éa'],
    ['a sequence without end does not fill the memory', `\x1b[${'1;'.repeat(5000)}Aa`, 'a'],
    ['characters of every width', 'é漢😀ß', 'é漢😀ß'],
    ['invisible ones are no keys', 'a\u00a0\u200b\u200d\ufeff\u0301\u2028b', 'ab'],
  ])('%s', (_, text, keys) => {
    expect(parse(text)).toBe(keys);
  });

  test('broken UTF-8 is not a key and affects nothing after it', () => {
    expect(parse(Buffer.from([0x61, 0xff, 0xc3, 0x62, 0xe2, 0x82, 0x63]))).toBe('abc');
  });

  test('a paste whose end never comes does not swallow what is typed a second later', () => {
    const reader = createKeyReader();
    expect(draw(reader.push(Buffer.from('\x1b[200~pasted'), 0))).toBe('');
    expect(draw(reader.push(Buffer.from('more'), 900))).toBe('');
    expect(draw(reader.push(Buffer.from('typed'), 1901))).toBe('[paste]typed');
  });

  test('the keys do not depend on where the bytes are cut', () => {
    const sequences = [
      '\x1b[A',
      '\x1bOP',
      '\x1b[I',
      '\x1b\x7f',
      '\x1b[200~x y\x1b[201~',
      '\x1b]0;t\x07',
      '\x1b[<0;1;2M',
    ];
    const piece = fc.constantFrom(...'ab \r\x7fé😀', ...sequences);
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 5 })),
        (pieces, cuts) => {
          const bytes = Buffer.from(pieces.join(''));
          const reader = createKeyReader();
          let at = 0;
          let keys = '';
          for (const length of [...cuts, bytes.length]) {
            keys += draw(reader.push(bytes.subarray(at, at + length), 0));
            at += length;
          }
          expect(keys + draw(reader.flush(0))).toBe(parse(bytes));
        },
      ),
    );
  });

  test('no bytes make it throw, and a letter after a complete sequence is always parsed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const reader = createKeyReader();
        reader.push(Buffer.from(bytes), 0);
        reader.flush(0);
        reader.push(Buffer.from('\x1b\\\x1b[201~\x1b[0m'), 0); // ends whatever may be open
        expect(draw(reader.push(Buffer.from('k'), 5000))).toMatch(/k$/);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Keys of each moment; they come out as they are, unmeasured ones in brackets, repeats with a *. */
function time(...chunks: readonly [ms: number, keys: string][]): string {
  const reader = createKeyReader();
  const drawn = chunks.map(([ms, text]) =>
    reader.push(Buffer.from(text), ms).map(({ text: letter, name, measured, repeat }) => {
      const shown = letter || name;
      return `${measured ? shown : `(${shown})`}${repeat ? '*' : ''}`;
    }),
  );
  return drawn.map((keys) => keys.join('')).join(' ');
}

describe('the times of keys', () => {
  test('are known for keys that come one by one, and not for keys that come together', () => {
    expect(time([0, 'a'], [100, 'b'], [200, 'cd'], [300, 'e'])).toBe('a b (c)(d) e');
  });

  test('of a held key are not measured from its second quick repetition on; a held Backspace is usual', () => {
    expect(time([0, 'a'], [500, 'a'], [530, 'a'], [560, 'a'], [590, 'a'])).toBe('a a a (a)* (a)*');
    expect(time([0, '\x7f'], [30, '\x7f'], [60, '\x7f'], [90, '\x7f'])).not.toMatch(/[(*]/);
  });

  test('are dated by the clock of the computer, which may have slept since the start', () => {
    const reader = createKeyReader();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 3600 * 1000 });
    try {
      const [key] = reader.push(Buffer.from('a'), performance.now() - 50);
      expect(Math.round((key?.unix ?? 0) - Date.now())).toBeCloseTo(-50, -2);
    } finally {
      vi.useRealTimers();
    }
  });
});

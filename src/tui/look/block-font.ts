import { markedLetter } from './block-marks.ts';

// Letters of ten half rows: capitals and ascenders from row 0, the body from row 2 to 7, descenders to row 9.
// Two half rows make one row of the terminal (▀ ▄ █), so a letter is five rows high.

const sheet = `
a      b      c      d      e      f     g      h      i
...... ##.... ...... ....## ...... .#### ...... ##.... ##
...... ##.... ...... ....## ...... ##... ...... ##.... ..
.####. #####. .##### .##### .####. ##... .##### #####. ##
....## ##..## ##.... ##..## ##..## ##### ##..## ##..## ##
.##### ##..## ##.... ##..## ###### ##... ##..## ##..## ##
##..## ##..## ##.... ##..## ##.... ##... ##..## ##..## ##
##..## ##..## ##.... ##..## ##.... ##... ##..## ##..## ##
.##### #####. .##### .##### .##### ##... .##### ##..## ##
...... ...... ...... ...... ...... ..... ....## ...... ..
...... ...... ...... ...... ...... ..... .####. ...... ..

j    k      l   m        n      o      p      q      r
..## ##.... ##. ........ ...... ...... ...... ...... .....
.... ##.... ##. ........ ...... ...... ...... ...... .....
..## ##..## ##. #######. #####. .####. #####. .##### ##.##
..## ##.##. ##. ##.##.## ##..## ##..## ##..## ##..## ###..
..## ####.. ##. ##.##.## ##..## ##..## ##..## ##..## ##...
..## ####.. ##. ##.##.## ##..## ##..## ##..## ##..## ##...
..## ##.##. ##. ##.##.## ##..## ##..## ##..## ##..## ##...
..## ##..## .## ##.##.## ##..## .####. #####. .##### ##...
..## ...... ... ........ ...... ...... ##.... ....## .....
##.. ...... ... ........ ...... ...... ##.... ....## .....

s      t     u      v      w        x      y      z
...... ..... ...... ...... ........ ...... ...... ......
...... ##... ...... ...... ........ ...... ...... ......
.##### ##### ##..## ##..## ##.##.## ##..## ##..## ######
##.... ##... ##..## ##..## ##.##.## ##..## ##..## ....##
.####. ##... ##..## ##..## ##.##.## .####. ##..## ...##.
....## ##... ##..## ##..## ##.##.## .####. ##..## ..##..
....## ##... ##..## .####. ##.##.## ##..## ##..## .##...
#####. .#### .##### ..##.. .######. ##..## .##### ######
...... ..... ...... ...... ........ ...... ....## ......
...... ..... ...... ...... ........ ...... .####. ......

,   .  ;   :  !  ?      '  -     ␣
... .. ... .. ## .####. ## ..... ......
... .. ... .. ## ##..## ## ..... ......
... .. ... .. ## ....## #. ..... ......
... .. .## ## ## ....## .. ..... ......
... .. .## ## ## ..###. .. ##### ......
... .. ... .. ## ..##.. .. ##### ......
.## ## .## ## .. ...... .. ..... ##..##
.## ## .## ## ## ..##.. .. ..... ######
##. .. ##. .. .. ...... .. ..... ......
... .. ... .. .. ...... .. ..... ......

A      B      C      D      E      F      G      H      I
.####. #####. .##### #####. ###### ###### .##### ##..## ####
##..## ##..## ##.... ##..## ##.... ##.... ##.... ##..## .##.
##..## ##..## ##.... ##..## ##.... ##.... ##.... ##..## .##.
##..## #####. ##.... ##..## #####. #####. ##.... ###### .##.
###### ##..## ##.... ##..## ##.... ##.... ##.### ##..## .##.
##..## ##..## ##.... ##..## ##.... ##.... ##..## ##..## .##.
##..## ##..## ##.... ##..## ##.... ##.... ##..## ##..## .##.
##..## #####. .##### #####. ###### ##.... .##### ##..## ####
...... ...... ...... ...... ...... ...... ...... ...... ....
...... ...... ...... ...... ...... ...... ...... ...... ....

J      K      L      M        N      O      P      Q      R
..#### ##..## ##.... ###..### ##..## .####. #####. .####. #####.
....## ##..## ##.... ######## ###.## ##..## ##..## ##..## ##..##
....## ##.##. ##.... ##.##.## ###.## ##..## ##..## ##..## ##..##
....## ####.. ##.... ##.##.## ###### ##..## #####. ##..## #####.
....## ####.. ##.... ##....## ##.### ##..## ##.... ##..## ##.##.
##..## ##.##. ##.... ##....## ##.### ##..## ##.... ##..## ##..##
##..## ##..## ##.... ##....## ##..## ##..## ##.... ##.##. ##..##
.####. ##..## ###### ##....## ##..## .####. ##.... .##.## ##..##
...... ...... ...... ........ ...... ...... ...... ...... ......
...... ...... ...... ........ ...... ...... ...... ...... ......

ß      æ          œ          ø      ł    ı
.####. .......... .......... ...... .##. ..
##..## .......... .......... ...... .##. ..
##..## .########. .########. .###.# .##. ##
##.##. ....##..## ##..##..## ##..## .### ##
##..## .######### ##..###### ##.### ###. ##
##..## ##..##.... ##..##.... ###.## .##. ##
##..## ##..##.... ##..##.... ##..## .##. ##
##.##. .######### .######### #.###. .##. ##
...... .......... .......... ...... .... ..
...... .......... .......... ...... .... ..

Æ          Œ          Ø      Ł      ẞ
.######### .######### .###.# .##... .#####
##..##.... ##..##.... ##..## .##... ##..##
##..##.... ##..##.... ##.### .####. ##.##.
##..#####. ##..#####. ##.### .###.. ##.##.
######.... ##..##.... ###.## ###... ##..##
##..##.... ##..##.... ###.## .##... ##..##
##..##.... ##..##.... ##..## .##... ##..##
##..###### .######### #.###. .##### ##.##.
.......... .......... ...... ...... ......
.......... .......... ...... ...... ......

S      T      U      V      W        X      Y      Z      "
.##### ###### ##..## ##..## ##....## ##..## ##..## ###### ##.##
##.... ..##.. ##..## ##..## ##....## ##..## ##..## ....## ##.##
##.... ..##.. ##..## ##..## ##....## .####. ##..## ....## #..#.
.####. ..##.. ##..## ##..## ##.##.## ..##.. .####. ...##. .....
....## ..##.. ##..## ##..## ##.##.## ..##.. ..##.. ..##.. .....
....## ..##.. ##..## ##..## ##.##.## .####. ..##.. .##... .....
....## ..##.. ##..## .####. ######## ##..## ..##.. ##.... .....
#####. ..##.. .####. ..##.. .##..##. ##..## ..##.. ###### .....
...... ...... ...... ...... ........ ...... ...... ...... .....
...... ...... ...... ...... ........ ...... ...... ...... .....

0      1      2      3      4      5      6      7      8      9
.####. ..##.. .####. .####. ...##. ###### .####. ###### .####. .####.
##..## .###.. ##..## ##..## ..###. ##.... ##.... ....## ##..## ##..##
##..## ..##.. ....## ....## .#.##. ##.... ##.... ...##. ##..## ##..##
##.### ..##.. ...##. ..###. ##.##. #####. #####. ...##. .####. ##..##
###.## ..##.. ..##.. ....## ###### ....## ##..## ..##.. ##..## .#####
##..## ..##.. .##... ....## ...##. ....## ##..## ..##.. ##..## ....##
##..## ..##.. ##.... ##..## ...##. ##..## ##..## ..##.. ##..## ....##
.####. ###### ###### .####. ...##. .####. .####. ..##.. .####. .####.
...... ...... ...... ...... ...... ...... ...... ...... ...... ......
...... ...... ...... ...... ...... ...... ...... ...... ...... ......
`;

const halfRows = 10;

/** Rows of the terminal that a block letter takes; at twice its size, twice as many. */
export const blockRows = halfRows / 2;

/** How many times as wide and as high as on the sheet a block letter is drawn. */
export type BlockScale = 1 | 2;

const glyphs = new Map(sheet.trim().split('\n\n').flatMap(parseBand));

function parseBand(band: string): [string, readonly string[]][] {
  const [names = '', ...rows] = band.split('\n');
  const columns = rows.map((row) => row.split(' '));
  return names.split(/ +/).map((name, at) => [name, columns.map((row) => row[at] ?? '')]);
}

/** The letter on the sheet, or made of one with its mark; undefined for what the font does not have. */
function glyphOf(character: string): readonly string[] | undefined {
  const known = glyphs.get(character);
  if (known !== undefined) return known;
  const made = markedLetter(character, (base) => glyphs.get(base));
  if (made !== undefined) glyphs.set(character, made); // as many as there are letters with marks, and no more
  return made;
}

/** No letter: as wide as the narrowest. */
const nothing = Array.from({ length: halfRows }, () => '..');

const unknown = Array.from({ length: halfRows }, (_, row) => (row < 2 || row > 7 ? '......' : '######'));

/** Upper half, lower half, both; the ASCII forms look alike from a distance. */
const unicodeInk = { upper: '▀', lower: '▄', full: '█' };
const asciiInk = { upper: '"', lower: 'o', full: '#' };

const drawn = new Map<string, readonly string[]>();

/** `blockRows * scale` rows of equal width that show a character; what the font lacks becomes a box. */
export function blockLetter(character: string, ascii: boolean, scale: BlockScale = 1): readonly string[] {
  const key = `${ascii ? 'ascii' : 'unicode'} ${scale} ${character}`;
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const pixels = character === '' ? nothing : (glyphOf(character === ' ' ? '␣' : character) ?? unknown);
  const rows = drawRows(enlarged(pixels, scale), ascii ? asciiInk : unicodeInk);
  if (character === '' || glyphs.has(character)) drawn.set(key, rows); // the cache stays small
  return rows;
}

function enlarged(pixels: readonly string[], scale: BlockScale): string[] {
  return pixels.flatMap((row) => {
    const wide = row.replace(/./g, (pixel) => pixel.repeat(scale));
    return Array.from({ length: scale }, () => wide);
  });
}

function drawRows(pixels: readonly string[], ink: typeof unicodeInk): string[] {
  return Array.from({ length: pixels.length / 2 }, (_, row) => {
    const upper = pixels[row * 2] ?? '';
    const lower = pixels[row * 2 + 1] ?? '';
    return [...upper].map((pixel, column) => cellOf(pixel === '#', lower[column] === '#', ink)).join('');
  });
}

function cellOf(upper: boolean, lower: boolean, ink: typeof unicodeInk): string {
  if (upper && lower) return ink.full;
  if (upper) return ink.upper;
  return lower ? ink.lower : ' ';
}

/** Whether the font has every one of these characters: a word in boxes could not be read. */
export function hasBlockLetters(characters: readonly string[]): boolean {
  return characters.every((character) => glyphOf(character) !== undefined);
}

/** Columns of a block letter, without the gap that follows it. */
export function blockWidth(character: string): number {
  return blockLetter(character, true)[0]?.length ?? 0;
}

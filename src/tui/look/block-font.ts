// Letters of five rows: capitals and ascenders from the first, the body from the second to the fourth,
// descenders in the fifth, which bands without any leave out. A dot is a blank, here and in the marks.

const sheet = `
a      b      c      d      e      f     g      h      i
...... ██.... ...... ....██ ...... ▄█▀▀▀ ...... ██.... ▀▀
.▀▀▀█▄ ██▀▀█▄ ▄█▀▀▀▀ ▄█▀▀██ ▄█▀▀█▄ ██▄▄▄ ▄█▀▀██ ██▀▀█▄ ██
▄█▀▀██ ██..██ ██.... ██..██ ██▀▀▀▀ ██... ██..██ ██..██ ██
▀█▄▄██ ██▄▄█▀ ▀█▄▄▄▄ ▀█▄▄██ ▀█▄▄▄▄ ██... ▀█▄▄██ ██..██ ██
...... ...... ...... ...... ...... ..... .▄▄▄█▀ ...... ..

j    k      l   m        n      o      p      q      r
..▀▀ ██.... ██. ........ ...... ...... ...... ...... .....
..██ ██.▄█▀ ██. ██▀██▀█▄ ██▀▀█▄ ▄█▀▀█▄ ██▀▀█▄ ▄█▀▀██ ██▄▀▀
..██ ████.. ██. ██.██.██ ██..██ ██..██ ██..██ ██..██ ██...
..██ ██.▀█▄ ▀█▄ ██.██.██ ██..██ ▀█▄▄█▀ ██▄▄█▀ ▀█▄▄██ ██...
▄▄▀▀ ...... ... ........ ...... ...... ██.... ....██ .....

s      t     u      v      w        x      y      z
...... ▄▄... ...... ...... ........ ...... ...... ......
▄█▀▀▀▀ ██▀▀▀ ██..██ ██..██ ██.██.██ ██..██ ██..██ ▀▀▀▀██
.▀▀▀█▄ ██... ██..██ ██..██ ██.██.██ .████. ██..██ ..▄█▀.
▄▄▄▄█▀ ▀█▄▄▄ ▀█▄▄██ .▀██▀. ▀█▄██▄█▀ ██..██ ▀█▄▄██ ▄██▄▄▄
...... ..... ...... ...... ........ ...... .▄▄▄█▀ ......

,   .  ;   :  !  ?      '  -     ␣
... .. ... .. ██ ▄█▀▀█▄ ██ ..... ......
... .. .▄▄ ▄▄ ██ ....██ ▀. ..... ......
... .. .▀▀ ▀▀ ██ ..██▀. .. █████ ......
.██ ██ .██ ██ ▄▄ ..▄▄.. .. ..... ██▄▄██
▀▀. .. ▀▀. .. .. ...... .. ..... ......

A      B      C      D      E      F      G      H      I
▄█▀▀█▄ ██▀▀█▄ ▄█▀▀▀▀ ██▀▀█▄ ██▀▀▀▀ ██▀▀▀▀ ▄█▀▀▀▀ ██..██ ▀██▀
██..██ ██▄▄█▀ ██.... ██..██ ██▄▄▄. ██▄▄▄. ██.... ██▄▄██ .██.
██▀▀██ ██..██ ██.... ██..██ ██.... ██.... ██.▀██ ██..██ .██.
██..██ ██▄▄█▀ ▀█▄▄▄▄ ██▄▄█▀ ██▄▄▄▄ ██.... ▀█▄▄██ ██..██ ▄██▄

J      K      L      M        N      O      P      Q      R
..▀▀██ ██..██ ██.... ███▄▄███ ██▄.██ ▄█▀▀█▄ ██▀▀█▄ ▄█▀▀█▄ ██▀▀█▄
....██ ██▄█▀. ██.... ██.██.██ ███▄██ ██..██ ██▄▄█▀ ██..██ ██▄▄█▀
▄▄..██ ██▀█▄. ██.... ██....██ ██.███ ██..██ ██.... ██..██ ██.▀█▄
▀█▄▄█▀ ██..██ ██▄▄▄▄ ██....██ ██..██ ▀█▄▄█▀ ██.... ▀█▄▀█▄ ██..██

ß      æ          œ          ø      ł    ı
▄█▀▀█▄ .......... .......... ...... .██. ..
██.▄█▀ .▀▀▀██▀▀█▄ ▄█▀▀██▀▀█▄ ▄█▀▀▄█ .██▄ ██
██..██ ▄█▀▀██▀▀▀▀ ██..██▀▀▀▀ ██▄▀██ ▀██. ██
██.▄█▀ ▀█▄▄██▄▄▄▄ ▀█▄▄██▄▄▄▄ █▀▄▄█▀ .██. ██

Æ          Œ          Ø      Ł      ẞ
▄█▀▀██▀▀▀▀ ▄█▀▀██▀▀▀▀ ▄█▀▀▄█ .██... ▄█▀▀██
██..██▄▄▄. ██..██▄▄▄. ██.███ .███▀. ██.██.
██▀▀██.... ██..██.... ███.██ ▀██... ██..██
██..██▄▄▄▄ ▀█▄▄██▄▄▄▄ █▀▄▄█▀ .██▄▄▄ ██.▄█▀

S      T      U      V      W        X      Y      Z      "
▄█▀▀▀▀ ▀▀██▀▀ ██..██ ██..██ ██....██ ██..██ ██..██ ▀▀▀▀██ ██.██
▀█▄▄▄. ..██.. ██..██ ██..██ ██.▄▄.██ .▀██▀. ▀█▄▄█▀ ...▄█▀ ▀..▀.
....██ ..██.. ██..██ ██..██ ██.██.██ .▄██▄. ..██.. .▄█▀.. .....
▄▄▄▄█▀ ..██.. ▀█▄▄█▀ .▀██▀. ▀██▀▀██▀ ██..██ ..██.. ██▄▄▄▄ .....

0      1      2      3      4      5      6      7      8      9
▄█▀▀█▄ .▄██.. ▄█▀▀█▄ ▄█▀▀█▄ ..▄██. ██▀▀▀▀ ▄█▀▀▀. ▀▀▀▀██ ▄█▀▀█▄ ▄█▀▀█▄
██.▄██ ..██.. ...▄█▀ ..▄▄█▀ ▄█.██. ██▄▄▄. ██▄▄▄. ...██. ▀█▄▄█▀ ██..██
██▀.██ ..██.. .▄█▀.. ....██ ▀▀▀██▀ ....██ ██..██ ..██.. ██..██ .▀▀▀██
▀█▄▄█▀ ▄▄██▄▄ ██▄▄▄▄ ▀█▄▄█▀ ...██. ▀█▄▄█▀ ▀█▄▄█▀ ..██.. ▀█▄▄█▀ .▄▄▄█▀
`;

type Rows = readonly string[];

export const blockRows = 5;

const glyphs = new Map(sheet.trim().split('\n\n').flatMap(parseBand));

function parseBand(band: string): [string, Rows][] {
  const [names = '', ...rows] = band.split('\n');
  const columns = rows.map((row) => row.split(' '));
  return names.split(/ +/).map((name, at) => {
    const letter = columns.map((row) => blanked(row[at] ?? ''));
    return [name, rows.length < blockRows ? [...letter, ' '.repeat(letter[0]?.length ?? 0)] : letter];
  });
}

function blanked(row: string): string {
  return row.replaceAll('.', ' ');
}

/** No letter: as wide as the narrowest. */
const nothing: Rows = ['  ', '  ', '  ', '  ', '  '];
const unknown: Rows = ['      ', '██████', '██████', '██████', '      '];

/** `blockRows` rows of equal width that show a character; what the font lacks becomes a box. */
export function blockLetter(character: string, ascii: boolean): Rows {
  const rows = glyphOf(character) ?? unknown;
  return ascii ? rows.map(asciiRow) : rows;
}

/** The ASCII forms look alike from a distance. */
function asciiRow(row: string): string {
  return row.replaceAll('▀', '"').replaceAll('▄', 'o').replaceAll('█', '#');
}

/** Whether the font has every one of these characters: a word in boxes could not be read. */
export function hasBlockLetters(characters: readonly string[]): boolean {
  return characters.every((character) => character !== '' && glyphOf(character) !== undefined);
}

/** Columns of a block letter, without the gap that follows it. */
export function blockWidth(character: string): number {
  return (glyphOf(character) ?? unknown)[0]?.length ?? 0;
}

/** The letter on the sheet, or one combined with its mark; undefined for what the font lacks. */
function glyphOf(character: string): Rows | undefined {
  if (character === '') return nothing;
  const known = glyphs.get(character === ' ' ? '␣' : character);
  if (known !== undefined) return known;
  const made = markedLetter(character);
  if (made !== undefined) glyphs.set(character, made); // bounded by the number of marked letters
  return made;
}

/** Marks above a letter, by their combining character. */
const above: ReadonlyMap<string, string> = new Map([
  ['\u0300', '▀▀▄▄'],
  ['\u0301', '▄▄▀▀'],
  ['\u0302', '▄▄▀▀▄▄'],
  ['\u0303', '▄▀██▄▀'],
  ['\u0304', '▀▀▀▀'],
  ['\u0306', '▀█▄▄█▀'],
  ['\u0307', '▀▀'],
  ['\u0308', '▀▀..▀▀'],
  ['\u030a', '.██.'],
  ['\u030b', '▄█▀▄█▀'],
  ['\u030c', '▀▀▄▄▀▀'],
]);

/** Commas, cedillas and hooks below a letter. */
const below: ReadonlyMap<string, string> = new Map([
  ['\u0326', '▄█▀.'],
  ['\u0327', '▄█▀.'],
  ['\u0328', '.▀█▄'],
]);

const caron = '\u030c';
/** What a caron becomes beside a letter that is too high for it: ď, ľ and ť. */
const caronBeside: Rows = [' ██', ' ▀ ', '   ', '   ', '   '];

/** A letter with its mark, such as `ü`; undefined if there is no room for the mark, or either is unknown. */
function markedLetter(character: string): Rows | undefined {
  const [letter = '', mark = '', ...others] = character.normalize('NFD');
  const base = glyphs.get(letter === 'i' && above.has(mark) ? 'ı' : letter);
  if (base === undefined || others.length > 0) return undefined;
  const [high = '', ...body] = base;
  const lower = below.get(mark);
  if (lower !== undefined)
    return hasInk(body.at(-1)) ? undefined : centredRows([...base.slice(0, -1), blanked(lower)]);
  const upper = blanked(above.get(mark) ?? '');
  if (upper === '') return undefined;
  if (/\p{Lu}/u.test(letter)) return centredRows([upper, ...halfRowsOf(base, [0, 1, 3, 4, 6, 7, 8, 9])]);
  if (letter !== 'j' && hasInk(high))
    return mark === caron ? base.map((row, at) => row + (caronBeside[at] ?? '')) : undefined;
  // A mark that would touch the body has a blank half row below it, in place of one of those in the middle.
  return centredRows([upper, ...(/[▄█]/.test(upper) ? halfRowsOf(base, [1, 2, 3, 4, 6, 7, 8, 9]) : body)]);
}

/** Some half rows of a letter, two of them to a row. */
function halfRowsOf(rows: Rows, chosen: readonly number[]): string[] {
  const halves = rows.flatMap((row) => ['▀█', '▄█'].map((ink) => [...row].map((cell) => ink.includes(cell))));
  return Array.from({ length: chosen.length / 2 }, (_, row) => {
    const [upper = [], lower = []] = chosen.slice(row * 2, row * 2 + 2).map((at) => halves[at]);
    return upper.map((isUpper, at) => ' ▄▀█'[Number(isUpper) * 2 + Number(lower[at])]).join('');
  });
}

/** Rows of different widths, each in the middle of the widest. */
function centredRows(rows: Rows): Rows {
  const width = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => {
    const left = Math.floor((width - row.length) / 2);
    return ' '.repeat(left) + row.padEnd(width - left);
  });
}

function hasInk(row = ''): boolean {
  return row.trim() !== '';
}

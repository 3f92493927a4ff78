type Pixels = readonly string[];

/** Marks of two half rows above a letter, by their combining character. */
const above: ReadonlyMap<string, Pixels> = new Map([
  ['\u0300', ['##..', '..##']],
  ['\u0301', ['..##', '##..']],
  ['\u0302', ['..##..', '##..##']],
  ['\u0303', ['.###.#', '#.###.']],
  ['\u0304', ['####', '....']],
  ['\u0306', ['##..##', '.####.']],
  ['\u0307', ['##', '..']],
  ['\u0308', ['##..##', '......']],
  ['\u030a', ['.##.', '.##.']],
  ['\u030b', ['.##.##', '##.##.']],
  ['\u030c', ['##..##', '..##..']],
]);

/** Marks below a letter: commas, cedillas and hooks. */
const below: ReadonlyMap<string, Pixels> = new Map([
  ['\u0326', ['.##.', '##..']],
  ['\u0327', ['.##.', '##..']],
  ['\u0328', ['.##.', '..##']],
]);

const caron = '\u030c';
/** What a caron becomes beside a letter that is too high for it: ď, ľ and ť. */
const caronBeside: Pixels = ['.##', '.##', '.#.'];

/** The half rows that a mark above takes, and the first one below the body of a letter. */
const markRows = 2;
const firstBelow = 8;

/**
 * A letter of ten half rows with its mark, such as `ü`; undefined where the letter has no room for it, or
 * where either is not known.
 *
 * @param baseOf the letters without marks
 */
export function markedLetter(
  character: string,
  baseOf: (character: string) => Pixels | undefined,
): Pixels | undefined {
  const [letter = '', mark = '', ...others] = character.normalize('NFD');
  const base = baseOf(letter);
  if (base === undefined || others.length > 0) return undefined;
  const upper = above.get(mark);
  if (upper !== undefined)
    return isHigh(letter, base) ? setBeside(base, mark) : setAbove(letter, base, upper);
  const lower = below.get(mark);
  const hasRoom = !hasInk(base.slice(firstBelow));
  return lower !== undefined && hasRoom ? centredRows([...base.slice(0, firstBelow), ...lower]) : undefined;
}

/** Whether a small letter reaches to where its mark would be; the dots of i and j give way. */
function isHigh(letter: string, base: Pixels): boolean {
  return /[^ij\p{Lu}]/u.test(letter) && hasInk(base.slice(0, markRows));
}

function setBeside(base: Pixels, mark: string): Pixels | undefined {
  return mark === caron ? base.map((row, at) => row + (caronBeside[at] ?? '...')) : undefined;
}

function setAbove(letter: string, base: Pixels, mark: Pixels): Pixels {
  const body = base.slice(markRows);
  if (/\p{Lu}/u.test(letter)) return centredRows([...mark, ...loweredRows(base), ...base.slice(firstBelow)]);
  const touches = hasInk(mark.slice(1));
  return centredRows([...mark, ...(touches ? flatterRows(body) : body)]);
}

/** A capital of six half rows instead of eight: what is left out is like the row before. */
function loweredRows(base: Pixels): Pixels {
  return [0, 1, 3, 4, 6, 7].map((row) => base[row] ?? '');
}

/** A body with a blank row above it instead of the fourth of its rows, which is like the one after. */
function flatterRows([first = '', second = '', third = '', , ...rest]: Pixels): Pixels {
  return ['.'.repeat(first.length), first, second, third, ...rest];
}

/** Rows of different widths, each in the middle of the widest. */
function centredRows(rows: Pixels): Pixels {
  const width = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => {
    const left = Math.floor((width - row.length) / 2);
    return '.'.repeat(left) + row.padEnd(width - left, '.');
  });
}

function hasInk(rows: Pixels): boolean {
  return rows.some((row) => row.includes('#'));
}

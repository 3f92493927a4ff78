import { toColumns } from './columns.ts';
import { toTraits } from './styles.ts';

/** One column of the screen. */
export interface Cell {
  /** The character; empty in the second column of a wide one. */
  readonly character: string;
  /** Active SGR parameters, such as `1;32`; empty for none. */
  readonly style: string;
}

export const blankCell: Cell = { character: ' ', style: '' };

/** The attributes that can be active at the same time, in the order in which they are written. */
interface Attributes {
  weight: string;
  underline: string;
  inverse: string;
  foreground: string;
  background: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const sequence = /(\x1b\[[\d;]*m)/;

/** Text with SGR sequences as cells, at most `width` of them. Other sequences do not come from this program. */
export function toCells(line: string, width: number): Cell[] {
  const cells: Cell[] = [];
  const attributes: Attributes = { weight: '', underline: '', inverse: '', foreground: '', background: '' };
  let style = '';
  for (const part of line.split(sequence)) {
    if (part.startsWith('\x1b')) {
      applySgr(attributes, part.slice(2, -1).split(';'));
      style = Object.values(attributes).filter(Boolean).join(';');
    } else {
      for (const character of part) addCharacter(cells, character, style);
    }
  }
  return cutCells(cells, width);
}

/** At most `width` of the cells. */
export function cutCells(cells: Cell[], width: number): Cell[] {
  if (cells.length <= width) return cells;
  const cut = cells.slice(0, width);
  const isHalved = cells[width]?.character === ''; // a wide character that the edge cuts in two
  return isHalved ? [...cut.slice(0, -1), blankCell] : cut;
}

/** Foreign text may have what breaks a line in some terminals. */
const lineBreaks = ['\u2028', '\u2029'];

function addCharacter(cells: Cell[], given: string, style: string): void {
  const character = lineBreaks.includes(given) ? ' ' : given;
  const columns = toColumns(character);
  if (columns === 0) return;
  const isBlank = character === ' ' && toTraits(style).isBareOnBlank;
  cells.push(isBlank ? blankCell : { character, style });
  if (columns === 2) cells.push({ character: '', style });
}

function applySgr(attributes: Attributes, codes: readonly string[]): void {
  for (let at = 0; at < codes.length; at += 1) {
    const code = Number(codes[at]);
    if (code === 38 || code === 48) {
      const color = codes.slice(at, at + (codes[at + 1] === '5' ? 3 : 5));
      attributes[code === 38 ? 'foreground' : 'background'] = color.join(';');
      at += color.length - 1;
    } else applyCode(attributes, code);
  }
}

function applyCode(attributes: Attributes, code: number): void {
  const text = String(code);
  if (code === 0) {
    for (const name of Object.keys(attributes)) attributes[name as keyof Attributes] = '';
  } else if (code <= 2) attributes.weight = text;
  else if (code === 4) attributes.underline = text;
  else if (code === 7) attributes.inverse = text;
  else if (code === 22) attributes.weight = '';
  else if (code === 24) attributes.underline = '';
  else if (code === 27) attributes.inverse = '';
  else if (code === 39) attributes.foreground = '';
  else if (code === 49) attributes.background = '';
  else if ((code >= 40 && code < 50) || code >= 100) attributes.background = text;
  else if (code >= 30) attributes.foreground = text;
}

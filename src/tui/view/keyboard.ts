// The keyboard with the next key, and keys coloured by how well they are known.
import { grid } from '../../kit/terminal-text.ts';
import { type Layout, qwerty } from '../../typing/letters/layout.ts';
import type { Catalog } from '../link/session.ts';
import type { Look } from '../look/look.ts';
import { fingerNames } from '../progress/figures.ts';
import {
  gradeOf,
  type KeyMeasure,
  type Letters,
  type Limits,
  letterValue,
  limitsOf,
} from '../progress/letters.ts';
import type { RoundSetup } from '../round/round-setup.ts';
import { baseOf } from '../state/layout-gap.ts';

/** The layout that a round is typed on; undefined if it is not known. */
export function drawnLayout(
  catalog: Catalog | undefined,
  { layout: id }: Pick<RoundSetup, 'layout'>,
): Layout | undefined {
  return id === qwerty.id ? qwerty : catalog?.layouts.find((layout) => layout.id === id);
}

export const keyboardHeight = 6;

/** Each row begins further to the right than the one above, as on most keyboards. */
const stagger = 2;
const keyWidth = 3;
/** ISO keyboards have a key beside the left Shift: their bottom row begins further to the left. */
const isoBottomKeys = 11;

/** The keyboard with the next key in brackets, and the finger that it belongs to; ' ' is the space bar. */
export function drawKeyboard({ paint, signs }: Look, layout: Layout, next: string): string[] {
  const [top = [], home = [], bottom = [], numbers = []] = layout.rows;
  // The key of a character: its own, or that of its small letter, or of the letter without its marks.
  const small = next.toLowerCase();
  const pressed =
    [next, small].find((key) => layout.rows.some((keys) => keys.includes(key))) ?? baseOf(small);
  const draw = (name: string, isNext: boolean) => (isNext ? paint('accent', `[${name}]`) : ` ${name} `);
  const row = (keys: readonly string[], indent: number) =>
    ' '.repeat(indent) + keys.map((name) => draw(name, name === pressed)).join('');
  return [
    row(numbers, 0),
    row(top, stagger),
    row(home, stagger * 2),
    row(bottom, bottom.length >= isoBottomKeys ? stagger * 2 - 1 : stagger * 3),
    ' '.repeat(12) + draw(signs.unfilled.repeat(12), next === ' '),
    paint('faint', `${' '.repeat(10)}${fingerText(layout, next, pressed)}`.trimEnd()),
  ];
}

export function keyboardWidth({ rows }: Layout): number {
  return stagger * 3 + Math.max(0, ...rows.map((keys) => keys.length)) * keyWidth;
}

function fingerText({ fingers }: Layout, next: string, key: string): string {
  if (next === ' ') return 'either thumb';
  const finger = Object.hasOwn(fingers, key) ? fingers[key] : undefined;
  if (finger === undefined) return '';
  const name = fingerNames[finger] ?? 'thumb';
  return `${name}${name.endsWith('thumb') ? '' : ' finger'}${key === next ? '' : key === next.toLowerCase() ? ', with Shift' : ', with its accent'}`;
}

/** A map of the letters of a layout: each with its figure below it, in the colour of its grade. */
export function drawKeyMap(look: Look, layout: Layout, letters: Letters, measure: KeyMeasure): string[] {
  const limits = limitsOf(letters, measure);
  const inKey = (text: string) => text.padStart(Math.ceil((keyWidth + text.length) / 2)).padEnd(keyWidth);
  return layout.rows.slice(0, 3).flatMap((row, at) => {
    const cells = row.slice(0, letterCount(row)).map((key) => {
      if (!isLetter(key)) return [inKey(''), inKey('')];
      const value = letterValue(letters.get(key), measure);
      const style = value === undefined ? 'faint' : (`grade${gradeOf(value, measure, limits)}` as const);
      const text = value === undefined ? look.signs.dash : figure(value, measure);
      return [key, text].map((part) => look.paint(style, inKey(part)));
    });
    const indent = ' '.repeat(Math.round((at * (keyWidth + 1)) / 3));
    return [0, 1].map((line) => indent + cells.map((cell) => cell[line]).join(' '));
  });
}

const isLetter = (key: string) => /^\p{L}/u.test(key);

/** Keys of a row up to its last letter; other keys left of that are blank. */
function letterCount(row: readonly string[]): number {
  return row.findLastIndex(isLetter) + 1;
}

/** Keys in the longest row of letters on most keyboards. */
const minKeys = 10;

export function keyMapWidth({ rows }: Layout): number {
  return (keyWidth + 1) * Math.max(minKeys, ...rows.slice(0, 3).map(letterCount)) + 1;
}

/** Percent are cut, not rounded: only a key that was never missed shows 100. */
function figure(value: number, measure: KeyMeasure): string {
  return String(measure === 'accuracy' ? Math.floor(value) : Math.min(999, Math.round(value)));
}

export function drawLegend({ paint, signs }: Look, measure: KeyMeasure, [poor, fair, good]: Limits): string {
  const isShare = measure === 'accuracy';
  const sign = isShare ? signs.atLeast : signs.atMost;
  return [
    paint('grade1', ` ${isShare ? '<' : '>'}${poor} `),
    paint('grade2', ` ${sign}${poor} `),
    paint('grade3', ` ${sign}${fair} `),
    paint('grade4', ` ${sign}${good} ${isShare ? '%' : 'ms'} `),
  ].join(' ');
}

/** Letters or pairs of them in a grid, each with percent right or ms. */
export function drawFigures(
  look: Look,
  figures: readonly (readonly [name: string, value: number])[],
  measure: KeyMeasure,
  limits: Limits,
  width: number,
): string[] {
  const nameWidth = Math.max(0, ...figures.map(([name]) => name.length));
  const cells = figures.map(([name, value]) => {
    const text = ` ${name} ${figure(value, measure).padStart(3)}`;
    return `${look.paint(`grade${gradeOf(value, measure, limits)}`, text)} `;
  });
  return grid(cells, nameWidth + 6, width);
}

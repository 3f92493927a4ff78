import { grid } from '../../kit/terminal-text.ts';
import type { Look, Style } from '../look/look.ts';
import {
  gradeOf,
  type KeyMeasure,
  type Letters,
  type Limits,
  letterValue,
  limitsOf,
} from '../progress/letters.ts';

/** The letters of a layout row by row; other keys left of the last letter are blank. */
export type KeyRows = readonly (readonly string[])[];

export function letterRows(rows: KeyRows): KeyRows {
  return rows.slice(0, 3).map((row) => {
    const keys = row.map((key) => (/^\p{L}/u.test(key) ? key : ''));
    return keys.slice(0, keys.findLastIndex((key) => key !== '') + 1);
  });
}

/** Columns of a key without the gap, and keys in the longest row of letters on most keyboards. */
const keyWidth = 3;
const minKeys = 10;

export function keyboardWidth(rows: KeyRows): number {
  return (keyWidth + 1) * Math.max(minKeys, ...rows.map((row) => row.length)) + 1;
}

/** A keyboard: each key has its letter, below it its figure, and the colour of its grade. */
export function drawKeyboard(look: Look, rows: KeyRows, letters: Letters, measure: KeyMeasure): string[] {
  const limits = limitsOf(letters, measure);
  const inKey = (text: string) => text.padStart(Math.ceil((keyWidth + text.length) / 2)).padEnd(keyWidth);
  return rows.flatMap((row, at) => {
    const keys = row.map((letter): [Style, string, string] => {
      const value = letter === '' ? undefined : letterValue(letters.get(letter), measure);
      if (value === undefined) return ['faint', letter, letter === '' ? '' : look.signs.dash];
      return [`grade${gradeOf(value, measure, limits)}`, letter, figure(value, measure)];
    });
    const indent = ' '.repeat(Math.round((at * (keyWidth + 1)) / 3));
    return [
      indent + keys.map(([style, letter]) => look.paint(style, inKey(letter))).join(' '),
      indent + keys.map(([style, , text]) => look.paint(style, inKey(text))).join(' '),
    ];
  });
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

import { grid } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/look.ts';
import {
  gradeOf,
  type KeyMeasure,
  type Letters,
  type Limits,
  letterValue,
  limitsOf,
  type Pairs,
  slowPairs,
  speedLimits,
} from '../progress/letters.ts';

/** Columns of a key without the gap, and its rows. */
export interface KeySize {
  readonly width: number;
  readonly rows: 2 | 3;
}

/** The letters of a layout row by row; a key left of the last letter that is none keeps its place, blank. */
export type KeyRows = readonly (readonly string[])[];

export function letterRows(rows: readonly (readonly string[])[]): KeyRows {
  return rows.slice(0, 3).map((row) => {
    const keys = row.map((key) => (/^\p{L}/u.test(key) ? key : ''));
    return keys.slice(0, keys.findLastIndex((key) => key !== '') + 1);
  });
}

/** Keys in the longest row of letters on most keyboards. */
const minKeys = 10;

/** Columns that the drawing of these rows takes. */
export function keyboardWidth(rows: KeyRows, { width }: KeySize): number {
  return (width + 1) * Math.max(minKeys, ...rows.map((row) => row.length)) + 1;
}

/** A keyboard: each key has its letter, its figure, and the colour of its grade. */
export function drawKeyboard(
  look: Look,
  rows: KeyRows,
  letters: Letters,
  measure: KeyMeasure,
  size: KeySize,
): string[] {
  const limits = limitsOf(letters, measure);
  return rows.flatMap((row, at) => {
    const indent = ' '.repeat(Math.round((at * (size.width + 1)) / 3));
    const keys = row.map((letter) => {
      if (letter === '') return Array<string>(size.rows).fill(' '.repeat(size.width));
      const value = letterValue(letters.get(letter), measure);
      const style =
        value === undefined ? 'faint' : (`grade${gradeOf(value, measure, limits)}` as const);
      const text = value === undefined ? look.signs.dash : figure(value, measure);
      const lines = [inMiddle(letter, size.width), inMiddle(text, size.width)];
      const whole = size.rows > 2 ? [' '.repeat(size.width), ...lines] : lines;
      return whole.map((line) => look.paint(style, line));
    });
    return Array.from({ length: size.rows }, (_, line) => indent + keys.map((key) => key[line]).join(' '));
  });
}

/** Percent are cut, not rounded: only a key that was never missed shows 100. */
function figure(value: number, measure: KeyMeasure): string {
  return String(measure === 'accuracy' ? Math.floor(value) : Math.min(999, Math.round(value)));
}

function inMiddle(text: string, width: number): string {
  const left = Math.ceil((width - text.length) / 2);
  return text.padStart(text.length + left).padEnd(width);
}

/** What the colours mean, from bad to good. */
export function drawLegend({ paint, signs }: Look, measure: KeyMeasure, [poor, fair, good]: Limits): string {
  const isShare = measure === 'accuracy';
  const sign = isShare ? signs.atLeast : signs.atMost;
  const parts: [Style, string][] = [
    ['grade1', `${isShare ? '<' : '>'}${poor}`],
    ['grade2', `${sign}${poor}`],
    ['grade3', `${sign}${fair}`],
    ['grade4', `${sign}${good} ${isShare ? '%' : 'ms'}`],
  ];
  return parts.map(([style, text]) => paint(style, ` ${text} `)).join(' ');
}

const letterWidth = 7;

/** Letters in alphabetical order, each with percent right or ms; only those of which enough is known. */
export function drawLetters(look: Look, letters: Letters, measure: KeyMeasure, width: number): string[] {
  const limits = limitsOf(letters, measure);
  const cells = [...letters]
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([letter, sums]) => {
      const value = letterValue(sums, measure);
      return value === undefined ? [] : [drawCell(look, letter, value, measure, limits)];
    });
  return grid(cells, letterWidth, width);
}

const pairWidth = 8;

/** The slowest pairs first: the mean time from one key to the next, ms. */
export function drawSlowPairs(look: Look, pairs: Pairs, width: number, rows: number): string[] {
  const limits = speedLimits(pairs.values());
  const shown = slowPairs(pairs).slice(0, rows * Math.max(1, Math.floor(width / pairWidth)));
  return grid(
    shown.map(({ pair, ms }) => drawCell(look, pair, ms, 'speed', limits)),
    pairWidth,
    width,
  );
}

function drawCell(look: Look, name: string, value: number, measure: KeyMeasure, limits: Limits): string {
  const text = ` ${name} ${figure(value, measure).padStart(3)}`;
  return `${look.paint(`grade${gradeOf(value, measure, limits)}`, text)} `;
}

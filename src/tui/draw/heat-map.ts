import type { HistoricalStatistics } from '../../contract/statistics-types.ts';
import { qwerty } from '../../typing/letters/layout.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/themes.ts';
import { fewestPresses, type KeyMeasure, toKeyValue } from '../trend/key-measure.ts';
import type { DrawnLayout } from './small-keyboard.ts';

/** Columns of a key without the gap, and its rows. */
export interface KeySize {
  readonly width: number;
  readonly rows: 2 | 3 | 4;
}

/** The limits are absolute: a key at 99 % is good however good the others are. */
const accuracyGrades = [90, 95, 98] as const;
const speedGrades = [320, 220, 150] as const;

export type Grade = 'grade-1' | 'grade-2' | 'grade-3' | 'grade-4';

/** From 1, where there is most to gain, to 4. */
export function toGrade(measure: KeyMeasure, value: number): Grade {
  const [poor, fair, good] = measure === 'accuracy' ? accuracyGrades : speedGrades;
  const isWorse = (limit: number) => (measure === 'accuracy' ? value < limit : value > limit);
  if (isWorse(poor)) return 'grade-1';
  if (isWorse(fair)) return 'grade-2';
  return isWorse(good) ? 'grade-3' : 'grade-4';
}

const letterRows = 3;
/** Keys in the longest row of letters on most keyboards. */
const usualKeys = 10;

/** The rows of letters of a layout; of QWERTY where none is known. What is left of the letters keeps its place, blank; what is right of them is left out. */
export function toLetterRows({ rows }: DrawnLayout = qwerty): readonly (readonly string[])[] {
  return rows.slice(0, letterRows).map((row) => {
    const keys = row.map((key) => (/^\p{L}/u.test(key) ? key : ''));
    return keys.slice(0, keys.findLastIndex((key) => key !== '') + 1);
  });
}

/** Columns that the drawing of these rows takes. */
export function toHeatMapWidth(rows: readonly (readonly string[])[], { width }: KeySize): number {
  return (width + 1) * Math.max(usualKeys, ...rows.map((row) => row.length)) + 1;
}

/** What the figures are of, as the title counts it ("rounds of this kind"), and why a key has none: after the first round most have not. */
export function toHeatTitle(
  { signs }: Look,
  layout: readonly (readonly string[])[],
  history: HistoricalStatistics,
  measure: KeyMeasure,
): string {
  const title = measure === 'accuracy' ? 'This kind, % right' : 'This kind, ms';
  const isKnown = (letter: string) => letter === '' || toKeyValue(history, measure, letter) !== undefined;
  return layout.flat().every(isKnown) ? title : `${title} (${signs.dash} under ${fewestPresses} presses)`;
}

/** A drawing of the keyboard: each key has its letter, its figure, and a colour by an absolute scale. */
export function drawHeatMap(
  look: Look,
  layout: readonly (readonly string[])[],
  history: HistoricalStatistics,
  measure: KeyMeasure,
  size: KeySize,
): string[] {
  return layout.flatMap((row, at) => {
    const indent = ' '.repeat(Math.round((at * (size.width + 1)) / 3));
    const keys = row.map((letter) =>
      drawKey(look, letter, toKeyValue(history, measure, letter), measure, size),
    );
    return Array.from({ length: size.rows }, (_, line) => indent + keys.map((key) => key[line]).join(' '));
  });
}

function drawKey(
  { paint, signs }: Look,
  letter: string,
  value: number | undefined,
  measure: KeyMeasure,
  { width, rows }: KeySize,
): string[] {
  if (letter === '') return Array.from({ length: rows }, () => ' '.repeat(width));
  const style = value === undefined ? 'grade-none' : toGrade(measure, value);
  const figure = value === undefined ? signs.dash : toFigure(measure, value);
  const lines = [toMiddle(letter, width), toMiddle(figure, width)];
  const blank = ' '.repeat(width);
  const above = rows > 2 ? [blank] : [];
  const below = rows > 3 ? [blank] : [];
  return [...above, ...lines, ...below].map((line) => paint(style, line));
}

/** Percent are cut, not rounded: only a key that was never missed shows 100. */
function toFigure(measure: KeyMeasure, value: number): string {
  return String(measure === 'accuracy' ? Math.floor(value) : Math.min(999, Math.round(value)));
}

function toMiddle(text: string, width: number): string {
  const left = Math.ceil((width - text.length) / 2);
  return text.padStart(text.length + left).padEnd(width);
}

/** What the colours mean, from bad to good. */
export function drawHeatLegend({ paint, signs }: Look, measure: KeyMeasure): string {
  const [poor, fair, good] = measure === 'accuracy' ? accuracyGrades : speedGrades;
  const unit = measure === 'accuracy' ? '%' : 'ms';
  const parts: [Style, string][] =
    measure === 'accuracy'
      ? [
          ['grade-1', `<${poor}`],
          ['grade-2', `${signs.atLeast}${poor}`],
          ['grade-3', `${signs.atLeast}${fair}`],
          ['grade-4', `${signs.atLeast}${good} ${unit}`],
        ]
      : [
          ['grade-1', `>${poor}`],
          ['grade-2', `${signs.atMost}${poor}`],
          ['grade-3', `${signs.atMost}${fair}`],
          ['grade-4', `${signs.atMost}${good} ${unit}`],
        ];
  return parts.map(([style, text]) => paint(style, ` ${text} `)).join(' ');
}

import type { Look } from '../look/look.ts';
import { toWidth } from '../text/text-layout.ts';
import { fewestPresses, type KeyMeasure } from '../trend/key-measure.ts';
import { toLetterValue, toSortedLetters } from '../trend/letter-value.ts';
import type { ProgressReport } from '../trend/report.ts';
import { toGrade } from './heat-map.ts';

const letterWidth = 7;
const pairWidth = 8;

/** Letters in the order of the alphabet, each with percent right or ms on the colour of its grade; only those of which enough is known. */
export function drawLetterHeat(
  look: Look,
  { letters }: ProgressReport,
  measure: KeyMeasure,
  width: number,
): string[] {
  const cells = toSortedLetters(letters).flatMap(([letter, sums]) => {
    const value = toLetterValue(sums, measure);
    return value === undefined ? [] : [drawHeatCell(look, letter, measure, value, letterWidth)];
  });
  return toGrid(cells, Math.floor(width / letterWidth));
}

/** Letters that were met too rarely to show a figure, in the order of the alphabet. */
export function toUnknownLetters({ letters }: ProgressReport, measure: KeyMeasure): string[] {
  return toSortedLetters(letters)
    .filter(([, sums]) => toLetterValue(sums, measure) === undefined)
    .map(([letter]) => letter);
}

/** The slowest pairs of letters first: the mean time from one key to the next, ms. */
export function drawSlowPairs(
  look: Look,
  { bigrams }: ProgressReport,
  width: number,
  rows: number,
): string[] {
  const perRow = Math.floor(width / pairWidth);
  const cells = toMeans(bigrams)
    .sort((a, b) => b.mean - a.mean)
    .slice(0, perRow * rows)
    .map(({ pair, mean }) => drawHeatCell(look, pair, 'speed', mean, pairWidth));
  return toGrid(cells, perRow);
}

/** Columns of a pair in the table of all pairs. */
const squareWidth = 3;

/** How wide and high the table of all pairs is; undefined where there are no pairs. */
export function toSquareSize({ bigrams }: ProgressReport): { columns: number; rows: number } | undefined {
  const { firsts, seconds } = toAxes(bigrams);
  if (firsts.length === 0) return undefined;
  return { columns: 2 + squareWidth * seconds.length, rows: firsts.length + 1 };
}

/** Each pair as a cell: the first letter names its row, the second its column; the figure is hundredths of a second. */
export function drawPairSquare(look: Look, { bigrams }: ProgressReport): string[] {
  const { firsts, seconds } = toAxes(bigrams);
  const means = new Map(toMeans(bigrams).map(({ pair, mean }) => [pair, mean]));
  const head = `  ${seconds.map((letter) => toWidth(` ${letter}`, squareWidth)).join('')}`;
  const body = firsts.map((first) => {
    const cells = seconds.map((second) => {
      const mean = means.get(first + second);
      if (mean === undefined) return ' '.repeat(squareWidth);
      const figure = String(Math.min(99, Math.round(mean / 10))).padStart(2);
      return `${look.paint(toGrade('speed', mean), figure)} `;
    });
    return `${look.paint('strong', first)} ${cells.join('')}`;
  });
  return [look.paint('strong', head), ...body];
}

function toAxes(bigrams: ProgressReport['bigrams']): { firsts: string[]; seconds: string[] } {
  const pairs = toMeans(bigrams).map(({ pair }) => [...pair]);
  const axis = (at: 0 | 1) =>
    [...new Set(pairs.map((pair) => pair[at] ?? ''))].sort((a, b) => a.localeCompare(b));
  return { firsts: axis(0), seconds: axis(1) };
}

function toMeans(bigrams: ProgressReport['bigrams']): { pair: string; mean: number }[] {
  return [...bigrams]
    .filter(([, { count }]) => count >= fewestPresses)
    .map(([pair, { count, ms }]) => ({ pair, mean: ms / count }));
}

function drawHeatCell(look: Look, name: string, measure: KeyMeasure, value: number, width: number): string {
  const text = ` ${name} ${toFigure(measure, value).padStart(3)}`;
  return `${look.paint(toGrade(measure, value), text)}${' '.repeat(Math.max(1, width - 5 - name.length))}`;
}

/** Percent are cut, not rounded. */
function toFigure(measure: KeyMeasure, value: number): string {
  return String(measure === 'accuracy' ? Math.floor(value) : Math.min(999, Math.round(value)));
}

function toGrid(cells: readonly string[], perRow: number): string[] {
  const columns = Math.max(1, perRow);
  return Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns).join(''),
  );
}

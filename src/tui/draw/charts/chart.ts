import type { Look } from '../../look/look.ts';
import type { SpeedColumn } from '../../round/speed-series.ts';

/**
 * A column chart of `values`, `rows` high, with the scale at the left: one line per row, top first.
 * The scale starts at 0, so that twice as high is twice as much.
 */
export function drawChart(look: Look, values: readonly number[], rows: number, max: number): string[] {
  const { paint, signs } = look;
  const eighths = [...signs.eighths];
  return Array.from({ length: rows }, (_, row) => {
    const below = rows - 1 - row;
    const cells = values.map((value) => {
      const level = Math.round((value / max) * rows * 8) - below * 8;
      if (level <= 0) return ' ';
      return eighths[Math.min(8, level) - 1] ?? ' ';
    });
    return `${paint('faint', toLabel(look, row, rows, max))}${paint('accent', cells.join(''))}`;
  });
}

/** Columns that the scale takes. */
export const scaleWidth = 6;

/** The scale names its top, its middle where there is room, and its foot. */
function toLabel({ signs }: Look, row: number, rows: number, max: number): string {
  const isNamed = row === 0 || (rows >= 5 && row === Math.floor(rows / 2));
  const value = isNamed ? String(Math.round((max * (rows - row)) / rows)) : '';
  return `${value.padStart(scaleWidth - 2)} ${signs.axis}`;
}

/** The next round figure above every value. */
export function toScaleTop(values: readonly number[]): number {
  return Math.max(20, Math.ceil(Math.max(0, ...values) / 20) * 20);
}

/** The speed over a round: the chart, and below it a mark where errors were made. */
export function drawSpeedChart(look: Look, series: readonly SpeedColumn[], rows: number): string[] {
  const speeds = series.map(({ wpm }) => wpm);
  return [
    ...drawChart(look, speeds, rows, toScaleTop(speeds)),
    ' '.repeat(scaleWidth) + drawErrorMarks(look, series),
  ];
}

/** One row: the speed from low to high, for where a chart has no room. */
export function drawSparkline(look: Look, series: readonly SpeedColumn[]): string[] {
  const top = toScaleTop(series.map(({ wpm }) => wpm));
  const eighths = [...look.signs.eighths];
  const line = series.map(({ wpm }) => eighths[Math.min(7, Math.floor((wpm / top) * 8))] ?? ' ').join('');
  return [look.paint('accent', line), drawErrorMarks(look, series)];
}

/** Each mark is painted by itself: without colour a painted gap would be seen. */
function drawErrorMarks({ paint, signs }: Look, series: readonly SpeedColumn[]): string {
  const mark = paint('wrong', signs.error);
  return series
    .map(({ errors }) => (errors > 0 ? mark : ' '))
    .join('')
    .trimEnd();
}

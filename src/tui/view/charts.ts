import type { Look } from '../look/look.ts';
import type { speedSeries } from '../progress/speed-series.ts';

/** Columns of the scale of a chart. */
export const scaleWidth = 6;

/** What the lowest and the highest row stand for: close, because changes would be invisible from 0 on. */
export function closeScale(values: readonly number[], max = Number.POSITIVE_INFINITY) {
  const top = Math.min(max, Math.ceil((Math.max(...values) + 1) / 5) * 5);
  return { foot: Math.max(0, Math.floor((Math.min(...values) - 1) / 5) * 5), top };
}

/**
 * A chart, `rows` high, with the scale at the left: one line per row, top first. It has columns if the scale
 * begins at 0, else a mark for each value, because the heights of columns would mean nothing.
 */
export function drawChart(
  look: Look,
  values: readonly number[],
  rows: number,
  { foot, top }: ReturnType<typeof closeScale>,
): string[] {
  const { paint, signs } = look;
  const levels = [...(foot === 0 ? signs.eighths : signs.quarters)];
  const height = levels.length;
  return Array.from({ length: rows }, (_, row) => {
    const below = rows - 1 - row;
    const cells = values.map((value) => {
      const share = (value - foot) / (top - foot);
      const level = Math.max(1, Math.round(share * rows * height)) - below * height;
      const isAbove = level > height;
      return level <= 0 || (isAbove && foot > 0) ? ' ' : (levels[Math.min(height, level) - 1] ?? ' ');
    });
    const scale = `${labelOf(row, rows, foot, top).padStart(scaleWidth - 2)} ${signs.axis}`;
    return paint('faint', scale) + paint('accent', cells.join(''));
  });
}

/** The first row has a label, the last one unless it is 0, and a round one in the middle of a high chart. */
function labelOf(row: number, rows: number, foot: number, top: number): string {
  if (row === 0) return String(top);
  if (row === rows - 1 && foot > 0) return String(foot);
  const value = foot + ((top - foot) * (rows - row)) / rows;
  return rows >= 5 && row === Math.floor(rows / 2) && value % 5 === 0 ? String(value) : '';
}

/**
 * The speed over a round, and below it a mark for each column with an error. Each mark is painted by itself:
 * without colour, a painted gap would be visible.
 */
export function drawSpeedChart(look: Look, series: ReturnType<typeof speedSeries>, rows: number): string[] {
  const speeds = series.map(({ wpm }) => wpm);
  const top = Math.max(20, Math.ceil(Math.max(0, ...speeds) / 20) * 20);
  const mark = look.paint('wrong', look.signs.error);
  const marks = series.map(({ errors }) => (errors > 0 ? mark : ' '));
  return [
    ...drawChart(look, speeds, rows, { foot: 0, top }),
    (' '.repeat(scaleWidth) + marks.join('')).trimEnd(),
  ];
}

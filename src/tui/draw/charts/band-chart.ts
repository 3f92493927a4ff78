import type { Look } from '../../look/look.ts';
import type { MedianInterval } from '../../trend/median-interval.ts';
import { scaleWidth } from './chart.ts';

/**
 * Medians over the days, each with its confidence interval as a shade: one line per row, top first. The scale does not
 * begin at 0, or nothing would be seen to change; both its ends are named.
 *
 * @param most what no value can exceed, such as 100 for percent
 */
export function drawBandChart(
  look: Look,
  values: readonly MedianInterval[],
  width: number,
  rows: number,
  most?: number,
): string[] {
  const room = width - scaleWidth;
  // A single day is a mark: as wide as other days it would look like a line without a change.
  const widest = values.length === 1 ? 1 : 4;
  const step = Math.max(1, Math.min(widest, Math.floor(room / Math.max(1, values.length))));
  const seen = values.slice(-Math.floor(room / step));
  const scale = toScale(seen, most);
  return Array.from({ length: rows }, (_, row) => {
    const cells = seen.map((value) => drawCell(look, value, toRow, row).repeat(step));
    return look.paint('faint', toLabel(look, scale, row, rows)) + cells.join('');
  });

  function toRow(value: number): number {
    return Math.round(((scale.top - value) / (scale.top - scale.foot)) * (rows - 1));
  }
}

function drawCell(
  { paint, ascii, signs }: Look,
  { median, low, high }: MedianInterval,
  toRow: (value: number) => number,
  row: number,
): string {
  if (toRow(median) === row) return paint('accent', ascii ? '#' : signs.filled);
  const isInBand = low !== null && high !== null && toRow(high) <= row && row <= toRow(low);
  return isInBand ? paint('faint', ascii ? ':' : '░') : ' ';
}

interface Scale {
  readonly top: number;
  readonly foot: number;
}

/** What the ends of a scale are multiples of. */
const scaleStep = 5;

/** @param most what no value exceeds; undefined where there is no such limit */
function toScale(values: readonly MedianInterval[], most = Number.POSITIVE_INFINITY): Scale {
  const all = values.flatMap(({ median, low, high }) => [median, low ?? median, high ?? median]);
  const top = Math.ceil(Math.max(...all) / scaleStep) * scaleStep;
  const foot = Math.floor(Math.min(...all) / scaleStep) * scaleStep;
  if (top > foot) return { top, foot };
  return { top: Math.min(most, top + scaleStep), foot: Math.max(0, foot - scaleStep) };
}

function toLabel({ signs }: Look, { top, foot }: Scale, row: number, rows: number): string {
  const value = row === 0 ? String(top) : row === rows - 1 ? String(foot) : '';
  return `${value.padStart(scaleWidth - 2)} ${signs.axis}`;
}

import type { Look } from '../look/look.ts';
import type { Style } from '../look/themes.ts';

export interface BarOptions {
  readonly value: number;
  /** The value of a full bar. */
  readonly max: number;
  /** Columns. */
  readonly width: number;
  readonly style: Style;
  /** Where to mark the average and the best. */
  readonly average?: number | undefined;
  readonly best?: number | undefined;
}

/** A horizontal bar, with marks for the average and the best. */
export function drawBar({ paint, signs }: Look, options: BarOptions): string {
  const { value, max, width, style } = options;
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  const halves = Math.round(share * width * (signs.half === '' ? 1 : 2)) / (signs.half === '' ? 1 : 2);
  const full = Math.floor(halves);
  const filled = signs.filled.repeat(full) + (halves > full ? signs.half : '');
  const cells = [...filled.padEnd(width, signs.unfilled)];
  const average = toColumn(options.average, max, width);
  const best = toColumn(options.best, max, width);
  if (average !== undefined) cells[average] = signs.average;
  if (best !== undefined) cells[best] = signs.best;
  const split = Math.ceil(halves);
  return paint(style, cells.slice(0, split).join('')) + paint('faint', cells.slice(split).join(''));
}

function toColumn(value: number | undefined, max: number, width: number): number | undefined {
  if (value === undefined || value <= 0 || max <= 0) return undefined;
  return Math.min(width - 1, Math.round((value / max) * width));
}

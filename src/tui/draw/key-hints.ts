import type { Look } from '../look/look.ts';
import { toColumns } from '../terminal/columns.ts';
import { toFittingParts } from '../text/text-layout.ts';

type Hints = readonly (readonly [key: string, action: string])[];

/** Keys and what they do, the most important first: all of them, or as many as fit in fewer words. */
export function drawKeyHints(look: Look, hints: Hints, width: number): string {
  const whole = drawParts(look, hints).join(gap);
  if (toColumns(whole) <= width) return whole;
  const short = hints.map(([key, action]) => [key, action.split(' ')[0] ?? ''] as const);
  return toFittingParts(drawParts(look, short), gap, width);
}

const gap = '  ';

function drawParts({ paint }: Look, hints: Hints): string[] {
  return hints.map(([key, action]) => `${paint('strong', key)} ${paint('faint', action)}`);
}

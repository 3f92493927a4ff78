import type { Look } from '../look/look.ts';
import { toFittingParts } from '../text/text-layout.ts';

/** Keys and what they do, as many as fit into the row, the most important first. */
export function drawKeyHints(
  look: Look,
  hints: readonly (readonly [string, string])[],
  width: number,
): string {
  const parts = hints.map(([key, action]) => `${look.paint('strong', key)} ${look.paint('faint', action)}`);
  return toFittingParts(parts, '  ', width);
}

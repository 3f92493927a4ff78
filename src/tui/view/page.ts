import { fittingParts } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';

/** What a screen shows. */
export interface Page {
  /** Spread over the height from the first row on; rows without room are left out. */
  readonly blocks: readonly (readonly string[])[];
  /** Ends at the last row. */
  readonly bottom: readonly string[];
}

/** Lays a page out in so many rows, indented by one column, as `ink-page.tsx` does for screens of Ink. */
export function spreadRows({ blocks, bottom }: Page, rows: number): string[] {
  const shown = blocks.filter((block) => block.length > 0);
  const free = Math.max(0, rows - shown.flat().length - bottom.length);
  const spread = shown.flatMap((block, at) => [
    ...block,
    ...Array<string>(Math.ceil((free - at) / shown.length)).fill(''),
  ]);
  return [...spread, ...bottom].map((row) => (row === '' ? '' : ` ${row}`));
}

/** Columns that a page leaves free at its sides. */
export const pageMargin = 2;

/** Rows of the title, the gap below it and the keys. */
export const frameRows = 3;

/** The part of a list that fits into `room` rows, with the chosen one in it. */
export function rowsAround<Row>(
  list: readonly Row[],
  chosen: number,
  room: number,
): [Row, isChosen: boolean][] {
  const first = Math.max(0, Math.min(chosen - Math.floor(room / 2), list.length - room));
  return list.slice(first, first + room).map((row, at) => [row, first + at === chosen]);
}

export type KeyHint = readonly [key: string, does: string];

/** Keys and what they do, the most important first: as many as fit. */
export function drawKeys({ paint }: Look, keys: readonly KeyHint[], width: number): string {
  const parts = keys.map(([key, does]) => `${paint('strong', key)} ${paint('faint', does)}`);
  return fittingParts(parts, '  ', width);
}

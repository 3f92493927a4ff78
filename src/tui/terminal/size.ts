/** Size of something on the terminal, in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The smallest terminal that a round fits into. */
export const smallest: Size = { columns: 40, rows: 12 };

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < smallest.columns || rows < smallest.rows;
}

/** A stream that text is written to; `isTTY` and `columns` where it is a terminal. */
export interface TextOut {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Columns to write in: those of the terminal, or 80 for a file or a pipe. */
export function columnsOf(out: TextOut): number {
  return out.isTTY === true && out.columns !== undefined && out.columns > 0 ? out.columns : 80;
}

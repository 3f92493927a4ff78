/** A stream that text is written to; `isTTY` and `columns` if it is a terminal. */
export interface TextOut {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Columns to write in: those of the terminal, or 80 for a file or a pipe. */
export function columnsOf(out: TextOut): number {
  return out.isTTY === true && out.columns !== undefined && out.columns > 0 ? out.columns : 80;
}

/** SGR codes (ECMA-48, 8.3.117) that begin and end a colour. They only emphasise what the words say. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  accent: [36, 39],
  link: [4, 24],
} as const;

export type Paint = { readonly [N in keyof typeof codes]: (text: string) => string };

/**
 * Colours on a terminal that can show them, unless NO_COLOR (no-color.org) asks for none. Libraries decide
 * once, for standard output; here each stream decides.
 */
export function createPaint(out: TextOut, env: NodeJS.ProcessEnv): Paint {
  const hasColours = out.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const brushes = Object.entries(codes).map(([name, [open, close]]) => [
    name,
    (text: string) => (hasColours ? `\u001B[${open}m${text}\u001B[${close}m` : text),
  ]);
  return Object.fromEntries(brushes);
}

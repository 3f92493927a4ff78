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

type Brush = (text: string) => string;

/** Colours; without colours, each returns the text itself. They only emphasise what the words say. */
export interface Paint {
  readonly bold: Brush;
  readonly dim: Brush;
  readonly good: Brush;
  readonly warn: Brush;
  readonly bad: Brush;
  readonly accent: Brush;
  readonly link: Brush;
}

const plain: Brush = (text) => text;
const colourless: Paint = {
  bold: plain,
  dim: plain,
  good: plain,
  warn: plain,
  bad: plain,
  accent: plain,
  link: plain,
};
const colourful: Paint = {
  bold: brush(1, 22),
  dim: brush(2, 22),
  good: brush(32, 39),
  warn: brush(33, 39),
  bad: brush(31, 39),
  accent: brush(36, 39),
  link: brush(4, 24),
};

/** SGR codes (ECMA-48, 8.3.117). Libraries decide once, for standard output; here each stream decides. */
function brush(open: number, close: number): Brush {
  return (text) => `\u001B[${open}m${text}\u001B[${close}m`;
}

/** Colours on a terminal that can show them, unless NO_COLOR (no-color.org) asks for none. */
export function createPaint(out: TextOut, env: NodeJS.ProcessEnv): Paint {
  return out.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb' ? colourful : colourless;
}

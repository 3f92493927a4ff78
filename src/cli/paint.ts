import { styleText } from 'node:util';
import type { CommandIo, TextOut } from './command-io.ts';

type Brush = (text: string) => string;

/** Colours, each the text itself where colours are not wanted: they underline a meaning that the words already have. */
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
  bold: (text) => styleText('bold', text),
  dim: (text) => styleText('dim', text),
  good: (text) => styleText('green', text),
  warn: (text) => styleText('yellow', text),
  bad: (text) => styleText('red', text),
  accent: (text) => styleText('cyan', text),
  link: (text) => styleText('underline', text),
};

/** Colours on a terminal that can show them, unless NO_COLOR (no-color.org) asks for none. */
export function createPaint(out: TextOut, env: CommandIo['env']): Paint {
  return out.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb' ? colourful : colourless;
}

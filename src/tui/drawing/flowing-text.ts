import stringWidth from 'string-width';
import type { Run } from '../game/run.ts';
import type { Look } from '../screen/look.ts';
import { toKeySign, toWordCells, type WordCell } from './word-marks.ts';

interface DrawnWord {
  readonly text: string;
  readonly width: number;
  readonly isCurrent: boolean;
}

/**
 * The whole round as text, `width` columns wide, in at most `rows` rows; of a longer one the rows around the
 * current word.
 */
export function drawFlowingText(look: Look, run: Run, width: number, rows: number): string[] {
  const words = run.words.map((word, at) => drawWord(look, run, word, at));
  const lines = toLines(words, width);
  const spacing = lines.length * 2 - 1 <= rows ? 2 : 1;
  const room = Math.max(1, Math.floor((rows + spacing - 1) / spacing));
  const current = lines.findIndex((line) => line.some(({ isCurrent }) => isCurrent));
  const first = Math.max(0, Math.min(current - 1, lines.length - room));
  const text = lines.slice(first, first + room).map((line) => line.map((word) => word.text).join(' '));
  return spacing === 1 ? text : text.flatMap((line, at) => (at === 0 ? [line] : ['', line]));
}

function drawWord(look: Look, run: Run, word: string, at: number): DrawnWord {
  const isCurrent = at === run.wordIndex;
  const typed = isCurrent ? run.typed : (run.left[at] ?? []);
  const cells = toWordCells(word, typed);
  const isBegun = isCurrent || at < run.wordIndex;
  const end = isCurrent && typed.length >= word.length ? look.paint('current', ' ') : '';
  return {
    text: cells.map((cell) => (isBegun ? drawLetter(look, cell) : cell.shown)).join('') + end,
    width: cells.reduce((sum, { shown }) => sum + Math.max(1, stringWidth(shown)), end === '' ? 0 : 1),
    isCurrent,
  };
}

/** A wrong letter shows the key that was typed, so that a slip can be seen and not only its place. */
function drawLetter({ paint, signs, hasColours }: Look, { shown, typed, state }: WordCell): string {
  if (state === 'current') return paint('current', shown);
  if (state === 'pending') return shown;
  if (state === 'right') return paint('right', shown);
  const key = toKeySign(typed ?? shown, signs.space);
  return hasColours ? `\x1b[4m${paint('wrong', key)}\x1b[24m` : paint('wrong', key);
}

function toLines(words: readonly DrawnWord[], width: number): DrawnWord[][] {
  const lines: DrawnWord[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const word of words) {
    if (used + 1 + word.width > width) {
      lines.push([word]);
      used = word.width;
    } else {
      lines.at(-1)?.push(word);
      used += 1 + word.width;
    }
  }
  return lines;
}

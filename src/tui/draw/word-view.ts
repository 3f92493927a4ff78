import type { Look } from '../look/look.ts';
import type { PacePlace } from '../round/pacer.ts';
import type { LocalRound } from '../round/round.ts';
import { toCentre } from '../text/text-layout.ts';
import { toRowColumns } from '../text/text-rows.ts';
import { isLargeRound } from './block-size.ts';
import { blockWordRows, drawCurrentWord, largeWordRows, plainWordRows } from './current-word.ts';
import { drawFlowingText } from './flowing-text.ts';
import { drawNextWords, drawPreviousWord } from './typing-rows.ts';

/** Rows that the words around a block word take where there is room to breathe. */
export const roomyWordRows = blockWordRows + 4;

/** The previous word, the current one as large as it gets, the next three, in the middle of `width` columns. */
export function drawBlockView(
  look: Look,
  round: LocalRound,
  width: number,
  rows: number,
  pace?: PacePlace,
): string[] {
  const isLarge = isLargeRound(round.words, width, rows);
  const gap = isLarge ? ['', ''] : rows >= roomyWordRows ? [''] : [];
  const smallerRows = rows - 2 >= blockWordRows ? blockWordRows : plainWordRows;
  const wordRows = isLarge ? largeWordRows : smallerRows;
  return [
    toCentre(drawPreviousWord(look, round), width),
    ...gap,
    ...drawCurrentWord(look, round, width, wordRows, pace),
    ...gap,
    toCentre(drawNextWords(look, round, width), width),
  ];
}

/** The round as text, in the middle of `width` columns. */
export function drawLineView(
  look: Look,
  round: LocalRound,
  width: number,
  rows: number,
  pace?: PacePlace,
): string[] {
  const measure = toRowColumns(width);
  const indent = ' '.repeat(Math.floor((width - measure) / 2));
  return drawFlowingText(look, round, measure, rows, pace).map((row) => indent + row);
}

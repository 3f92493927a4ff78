import type { PlaySummary, Remainder } from '../../../tui/play.ts';
import { hasSpeed, percentText } from '../../../tui/progress/figures.ts';
import { leftPlaceText } from '../../../tui/state/text.ts';

type Score = PlaySummary['scores'][number];
type Scores = readonly Pick<Score, 'standardWpm' | 'accuracy' | 'seconds' | 'verdict'>[];

/** What remains in the terminal after play: the scores, and what became of the last round. */
export function farewellText({ scores, remainder }: { scores: Scores; remainder: Remainder }): string {
  const sentences = [...scoreSentences(scores), ...remainderSentences(remainder, scores.length)];
  return `${sentences.join('\n')}\n`;
}

function scoreSentences(scores: Scores): string[] {
  const last = scores.at(-1);
  if (last === undefined) return [];
  const speed = hasSpeed(last) ? `${last.standardWpm.toFixed(1)} WPM at` : 'too short to tell a speed,';
  const figures = `${speed} ${percentText(last.accuracy)} %${last.verdict === null ? '' : ' (not counted)'}`;
  return [scores.length === 1 ? `One round: ${figures}.` : `${scores.length} rounds: the last ${figures}.`];
}

function remainderSentences(remainder: Remainder, finished: number): string[] {
  switch (remainder.kind) {
    case 'kept':
      return [`The unfinished round is kept: the next start continues ${leftPlaceText(remainder.round)}.`];
    case 'discarded':
      return ['The unfinished round was discarded.'];
    case 'lost':
      return ['The unfinished round could not be saved: writing to the disk failed.'];
    case 'undelivered':
      return ['The last round waits for the server: a later start delivers it.'];
    default:
      return finished === 0 ? ['Nothing was typed.'] : [];
  }
}

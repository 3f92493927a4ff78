import type { PlaySummary, Remainder } from '../../../tui/play.ts';
import { hasSpeed, percentText } from '../../../tui/progress/figures.ts';
import { leftPlaceText } from '../../../tui/state/text.ts';

/** Of a finished round what the farewell tells. */
type FarewellScore = Pick<
  PlaySummary['scores'][number],
  'kind' | 'standardWpm' | 'accuracy' | 'seconds' | 'verdict'
>;

/**
 * What stays when the screen is gone: what was typed, and what was kept of it, each from a row of its own.
 *
 * @param columns of the terminal: it would break rows in the middle of words; 0: not known
 */
export function farewellText(
  { scores, remainder }: Pick<PlaySummary, 'remainder'> & { readonly scores: readonly FarewellScore[] },
  columns: number,
): string {
  const sentences = [...scoreSentences(scores), ...remainderSentences(remainder, scores.length)];
  return `${sentences.map((sentence) => breakRows(sentence, columns)).join('\n')}\n`;
}

/** Each of its characters takes one column: measuring others would load a library, and take time. */
function breakRows(sentence: string, columns: number): string {
  if (columns === 0) return sentence;
  return sentence.replace(new RegExp(`(.{1,${columns}})(?: |$)`, 'g'), '$1\n').trimEnd();
}

function scoreSentences(scores: readonly FarewellScore[]): string[] {
  const last = scores.at(-1);
  if (last === undefined) return [];
  const speed = hasSpeed(last) ? `${last.standardWpm.toFixed(1)} WPM at` : 'too short to tell a speed,';
  const figures = `${speed} ${percentText(last.accuracy)} %${last.verdict === null ? '' : ' (not counted)'}`;
  if (scores.length === 1) return [`One round: ${figures}.`];
  return [`${scores.length} rounds: the last ${figures}${fastestText(scores, last)}.`];
}

/** The fastest of the rounds that can be compared with the last one; empty where no other can. */
function fastestText(scores: readonly FarewellScore[], last: FarewellScore): string {
  const alike = scores.filter(({ kind }) => kind === last.kind);
  const counts = ({ verdict }: FarewellScore) => verdict === null;
  if (!alike.slice(0, -1).some(counts)) return '';
  const which = alike.length === scores.length ? 'the fastest' : 'the fastest of this kind';
  const speeds = alike.filter(counts).map(({ standardWpm }) => standardWpm);
  return `, ${which} ${Math.max(...speeds).toFixed(1)} WPM`;
}

function remainderSentences(remainder: Remainder, finished: number): string[] {
  switch (remainder.kind) {
    case 'kept':
      return [`The unfinished round is kept: the next start goes on ${leftPlaceText(remainder.round)}.`];
    case 'discarded':
      return ['The unfinished round was discarded.'];
    case 'lost':
      return ['The unfinished round could not be kept: the disk did not take it.'];
    case 'undelivered':
      return ['The last round waits for the server: a later start delivers it.'];
    default:
      return finished === 0 ? ['Nothing was typed.'] : [];
  }
}

import type { PlaySummary } from '../../../tui/play.ts';
import type { Remainder } from '../../../tui/remainder.ts';
import { hasSpeed, type RoundScore } from '../../../tui/round/scoring.ts';
import { toLeftPlace } from '../../../tui/text/place-text.ts';

/** Of a finished round what the farewell tells. */
type FarewellScore = Pick<RoundScore, 'standardWpm' | 'accuracy' | 'seconds' | 'verdict'>;

/** What stays when the screen is gone: what was typed, and what was kept of it, a line each. */
export function toFarewell({
  scores,
  remainder,
}: Pick<PlaySummary, 'remainder'> & { readonly scores: readonly FarewellScore[] }): string {
  const sentences = [...toScoreText(scores), ...toRemainderText(remainder, scores.length)];
  return `${sentences.join('\n')}\n`;
}

function toScoreText(scores: readonly FarewellScore[]): string[] {
  const last = scores.at(-1);
  if (last === undefined) return [];
  const speeds = scores.filter(({ verdict }) => verdict === null).map(({ standardWpm }) => standardWpm);
  const accuracy = (Math.floor(last.accuracy * 10) / 10).toFixed(1);
  const speed = hasSpeed(last) ? `${last.standardWpm.toFixed(1)} WPM at` : 'too short to tell a speed,';
  const figures = `${speed} ${accuracy} %${last.verdict === null ? '' : ' (not counted)'}`;
  if (scores.length === 1) return [`One round: ${figures}.`];
  const fastest = speeds.length === 0 ? '' : `, the fastest ${Math.max(...speeds).toFixed(1)} WPM`;
  return [`${scores.length} rounds: the last ${figures}${fastest}.`];
}

function toRemainderText(remainder: Remainder, finished: number): string[] {
  switch (remainder.kind) {
    case 'kept':
      return [`The unfinished round is kept: the next start goes on ${toLeftPlace(remainder.round)}.`];
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

import { type DrilledPair, isReached, toDrilledPairs } from '../round/drill-times.ts';
import { toMissedWords } from '../round/missed-words.ts';
import type { RoundOutcome } from '../state/app-state.ts';
import { toCountText } from './figures/figures.ts';

/** How many rounds there are of this kind. A drill counts for no average, and is counted all the same. */
export function toHistoryText({ round, history }: RoundOutcome): string {
  if (history === undefined) return '';
  const { total_sessions: counted, rounds_not_counted: others } = history;
  if (round.practised.mode.type === 'drill')
    return others > 0 ? `${toCountText(others, 'drill')} so far` : '';
  return counted > 0 ? `${toCountText(counted, 'round')} of this kind` : 'no round of this kind counts yet';
}

/** What came of a drill, as sentences; none for other rounds. */
export function toDrillLines(outcome: RoundOutcome): string[] {
  const { round } = outcome;
  if (round.practised.mode.type !== 'drill') return [];
  const pairs = toDrilledPairs(round);
  const history = toHistoryText(outcome);
  return [
    ...(pairs.length === 0 ? [toDrilledWordsText(outcome)] : toPairLines(pairs)),
    ...(history === '' ? [] : [`${history}; none counts for bests and averages.`]),
  ];
}

function toPairLines(pairs: readonly DrilledPair[]): string[] {
  const target = Math.round(pairs[0]?.targetMs ?? 0);
  const texts = pairs.map((pair) => {
    const { ms, beforeMs, count } = pair;
    const before = beforeMs === null ? '' : `, before ${Math.round(beforeMs)}`;
    if (ms === undefined) return `${pair.pair} ${toMissing(pair)}${before}`;
    const verdict = isReached(pair) ? ', target reached' : '';
    return `${pair.pair} ${Math.round(ms)} milliseconds (${toCountText(count, 'time')})${before}${verdict}`;
  });
  return [`Drilled pairs, with a target of ${target} milliseconds:`, ...texts.map((text) => `${text}.`)];
}

/** Why a pair has no time. */
export function toMissing({ isInWords }: DrilledPair): string {
  return isInWords ? 'not measured' : 'not in these words';
}

/** Of a drill of letters or words, and of one of pairs that had none to drill. */
export function toDrilledWordsText({ round }: Pick<RoundOutcome, 'round'>): string {
  const { mode } = round.practised;
  const missed = toMissedWords(round);
  const isUnknown = mode.type === 'drill' && mode.on === 'bigrams';
  const none = isUnknown ? 'No slow pair is known yet: these were common words. ' : '';
  if (missed.length === 0) return `${none}No word was missed.`;
  return `${none}Missed: ${missed.join(', ')}.`;
}

import type { HistoricalStatistics, LetterStats } from '../../contract/statistics-types.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/themes.ts';
import { fingerNames, rowNames } from '../round/keyboard.ts';
import type { LocalRound } from '../round/round.ts';
import { toSignErrors } from '../round/round-summary.ts';
import { toMilliseconds } from '../text/figures/figures.ts';
import { toWholeShares } from '../text/figures/whole-shares.ts';
import { toFittingParts, toWidth } from '../text/text-layout.ts';
import { fewestPresses } from '../trend/key-measure.ts';
import { type Grade, toGrade } from './heat-map.ts';

/** Columns of the names at the left of these rows. */
const labelWidth = 9;

/** Columns of a name with its percentage. */
const shareWidth = 14;

/** Fingers by hand with the hand's share, keyboard rows, flow and errors: what the hands do, over all rounds of the kind. */
export function drawBodyRows(
  look: Look,
  history: HistoricalStatistics,
  round: LocalRound,
  width: number,
): string[] {
  const label = (name: string) => look.paint('faint', toWidth(name, labelWidth));
  const room = width - labelWidth;
  const { left, right } = toWholeShares(history.hand_balance);
  return [
    label('Left') + drawHand(look, history, [0, 1, 2, 3], left),
    label('Right') + drawHand(look, history, [6, 7, 8, 9], right),
    label('Rows') +
      rowNames
        .map((name, row) => toWidth(`${name} ${drawShare(look, history.row_stats[row])}`, shareWidth))
        .join(''),
    label('Flow') + toFittingParts(toFlowParts(look, history), ' '.repeat(3), room),
    label('Errors') + toFittingParts(toErrorParts(look, history, round), ' '.repeat(3), room),
  ];
}

function drawHand(
  look: Look,
  history: HistoricalStatistics,
  fingers: readonly number[],
  share: number,
): string {
  const parts = fingers.map((finger) => {
    const name = fingerNames[finger]?.split(' ')[1] ?? '';
    return toWidth(`${name} ${drawShare(look, history.finger_stats[finger])}`, shareWidth);
  });
  return `${parts.join('')}${look.paint('faint', 'share')} ${Math.round(share)} %`;
}

/** Among words, letters in colour are quieter than fields of it. */
const shareStyles: Readonly<Record<Grade, Style>> = {
  'grade-1': 'wrong',
  'grade-2': 'warning',
  'grade-3': 'plain',
  'grade-4': 'right',
};

/** Percent right, in the colour of its grade. */
function drawShare({ paint, signs }: Look, stats: LetterStats | undefined): string {
  if (stats === undefined || stats.presented < fewestPresses) return paint('faint', signs.dash);
  const accuracy = (stats.correct / stats.presented) * 100;
  return paint(shareStyles[toGrade('accuracy', accuracy)], `${Math.floor(accuracy)} %`);
}

/** Alternation, same-finger bigrams and rhythm. */
function toFlowParts({ signs }: Look, history: HistoricalStatistics): string[] {
  const { count, average_ms } = history.sfb_stats;
  const bigrams =
    count > 0 ? `same finger ${toMilliseconds(average_ms)} (${count}${signs.error})` : 'same finger none';
  return [
    `hands alternate ${Math.round(history.alternation_rate)} %`,
    bigrams,
    `rhythm ${signs.plusMinus} ${toMilliseconds(history.rhythm_stddev)}`,
  ];
}

/** More signs would leave no room for letters. */
const mostSigns = 3;

/** Wanted and typed key with their count, the most frequent first: signs of this round, then letters of all rounds of the kind. */
export function toErrorParts(look: Look, history: HistoricalStatistics, round: LocalRound): string[] {
  const { paint, signs } = look;
  const own = toSignErrors(round)
    .slice(0, mostSigns)
    .map(({ wanted, typed, count }) => `${wanted}${signs.to}${typed} ${count}${signs.error}`);
  const ofRound = own.length === 0 ? [] : [`${own.join(' ')} ${paint('faint', 'this round')}`];
  const ofKind = toLetterErrors(look, history);
  if (ofRound.length + ofKind.length === 0) return [paint('faint', 'no letter typed for another')];
  return [...ofRound, ...ofKind];
}

/** The history knows nothing of signs and digits, nor of the wrong case. */
function toLetterErrors({ signs }: Look, history: HistoricalStatistics): string[] {
  return history.error_patterns.map(
    ({ expected, typed, count }) =>
      `${expected}${signs.to}${typed === ' ' ? signs.space : typed} ${count}${signs.error}`,
  );
}

import type { Look } from '../../look/look.ts';
import type { RoundOutcome } from '../../state/app-state.ts';
import { type ScoreRow, toScoreRows } from '../../text/figures/score-rows.ts';
import { toVerdictText } from '../../text/figures/verdict-text.ts';
import { toWidth } from '../../text/text-layout.ts';
import { drawBar } from './bar.ts';

const figureWidth = 12;
const comparisonWidth = 40;

/** Figure, bar and comparison, one row each. */
export function drawScoreRows(look: Look, outcome: RoundOutcome, width: number): string[] {
  const hasBars = width >= figureWidth + comparisonWidth + 16;
  const isCounted = toVerdictText(outcome) === null;
  return toScoreRows(outcome).map((row) => {
    const figure = toWidth(
      `${look.paint(isCounted ? 'strong' : 'faint', (row.text || look.signs.dash).padStart(6))} ${row.label}`,
      figureWidth,
    );
    const comparison = drawComparison(look, row, hasBars);
    if (!hasBars || row.max === 0) return figure + comparison;
    const { value, max, best, average } = row;
    const barWidth = width - figureWidth - comparisonWidth - 2;
    return `${figure}${drawBar(look, { value, max, best, average, width: barWidth, style: 'accent' })}  ${comparison}`;
  });
}

function drawComparison({ paint, signs }: Look, row: ScoreRow, isWide: boolean): string {
  const star = row.isNewBest ? paint('right', isWide ? `${signs.newBest} new best` : signs.newBest) : '';
  if (row.scope !== '') return paint('faint', row.scope);
  if (row.bestText === '') return star;
  const [best, average] = isWide ? [`best ${signs.best}`, `avg ${signs.average}`] : ['best', 'avg']; // the marks in the bar
  const known = paint(
    'faint',
    `${best} ${row.bestText.padStart(5)}  ${average} ${row.averageText.padStart(5)}`,
  );
  return star === '' ? known : `${known}  ${star}`;
}

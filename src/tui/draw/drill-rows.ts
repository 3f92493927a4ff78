import type { Look } from '../look/look.ts';
import { type DrilledPair, isReached, toDrilledPairs } from '../round/drill-times.ts';
import type { RoundOutcome } from '../state/app-state.ts';
import { toColumns } from '../terminal/columns.ts';
import { toDrilledWordsText, toMissing } from '../text/drill-text.ts';
import { toFirstRows, toFitting, toRows, toWidth } from '../text/text-layout.ts';
import { drawBar } from './charts/bar.ts';

const figureWidth = 12;
const comparisonWidth = 40;

/** What came of a drill: a row for each pair with its time, as the other figures are drawn; none for other rounds. */
export function drawDrill(look: Look, { round }: RoundOutcome, width: number): string[] {
  if (round.practised.mode.type !== 'drill') return [];
  const pairs = toDrilledPairs(round);
  if (pairs.length === 0) return toRows(toDrilledWordsText({ round }), width);
  const max = Math.max(...pairs.flatMap(({ ms = 0, beforeMs, targetMs }) => [ms, beforeMs ?? 0, targetMs]));
  const target = Math.round(pairs[0]?.targetMs ?? 0);
  const heading = `Drilled pairs, ms between the letters: target ${look.signs.best} ${target}, before ${look.signs.average}`;
  return [look.paint('faint', heading), ...pairs.map((pair) => drawPair(look, pair, max * 1.1, width))];
}

function drawPair(look: Look, pair: DrilledPair, max: number, width: number): string {
  const { paint, signs } = look;
  const { ms, beforeMs, targetMs } = pair;
  const figure = ms === undefined ? signs.dash : String(Math.round(ms));
  const name = toWidth(`${paint('strong', figure.padStart(6))} ${pair.pair}`, figureWidth);
  const before = beforeMs === null ? '' : String(Math.round(beforeMs));
  const known = paint('faint', `before ${signs.average} ${before.padStart(5)}`);
  const count = ms === undefined ? toMissing(pair) : `${pair.count}${signs.error}`;
  const verdict = `  ${paint('faint', count)}${isReached(pair) ? `  ${paint('right', 'reached')}` : ''}`;
  const bar = drawBar(look, {
    value: ms ?? 0,
    max,
    best: targetMs,
    average: beforeMs ?? undefined,
    width: width - figureWidth - comparisonWidth - 2,
    style: isReached(pair) ? 'right' : 'accent',
  });
  return `${name}${bar}  ${known}${verdict}`;
}

/** The same where there is little room: pairs side by side, with the time before in brackets, in at most `rows` rows. */
export function drawShortDrill(look: Look, { round }: RoundOutcome, width: number, rows: number): string[] {
  if (round.practised.mode.type !== 'drill') return [];
  const pairs = toDrilledPairs(round);
  const { paint, signs } = look;
  if (pairs.length === 0) return toFirstRows(toDrilledWordsText({ round }), signs.ellipsis, width, rows);
  const heading = `Pairs, ms (before); target ${Math.round(pairs[0]?.targetMs ?? 0)}`;
  const texts = pairs.map(({ pair, ms, beforeMs }) => {
    const before = beforeMs === null ? '' : ` (${Math.round(beforeMs)})`;
    return `${pair} ${ms === undefined ? signs.dash : Math.round(ms)}${before}`;
  });
  const cell = Math.max(...texts.map(toColumns)) + 1;
  const perRow = Math.max(1, Math.floor((width + 1) / cell));
  const cells = texts.map((text, at) => {
    const pair = pairs[at];
    return paint(pair !== undefined && isReached(pair) ? 'right' : 'plain', toWidth(text, cell));
  });
  const table = Array.from({ length: Math.ceil(cells.length / perRow) }, (_, row) =>
    cells
      .slice(row * perRow, (row + 1) * perRow)
      .join('')
      .trimEnd(),
  );
  return [paint('faint', toFitting(heading, signs.ellipsis, width)), ...table].slice(0, rows);
}

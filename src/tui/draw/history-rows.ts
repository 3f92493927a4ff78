import type { Look } from '../look/look.ts';
import type { Style } from '../look/themes.ts';
import { fingerNames } from '../round/keyboard.ts';
import { toCentre, toWidth } from '../text/text-layout.ts';
import type { Day } from '../trend/days.ts';
import type { Change } from '../trend/letter-change.ts';
import { drawChart, scaleWidth, toScaleTop } from './chart.ts';

/** Medians of the days as columns, the latest at the right, with the rounds of each day below. */
export function drawDayChart(look: Look, days: readonly Day[], width: number, rows: number): string[] {
  const room = width - scaleWidth;
  const columnWidth = [4, 3].find((columns) => days.length * columns <= room) ?? 2;
  const seen = days.slice(-Math.floor(room / columnWidth));
  const medians = seen.map((day) => day.wpm.median);
  const body = columnWidth - 1;
  const values = medians.flatMap((median) => [...Array<number>(body).fill(median), 0]);
  const indent = ' '.repeat(scaleWidth);
  const counts = seen.map(({ runs }) => toWidth(toCount(runs, body), columnWidth)).join('');
  const dates = drawDates(seen, columnWidth);
  return [
    ...drawChart(look, values, rows, toScaleTop(medians)),
    look.paint('faint', `${'rounds'.padEnd(scaleWidth)}${counts}`.trimEnd()),
    look.paint('faint', `${indent}${dates}`),
  ];
}

function toCount(runs: number, width: number): string {
  const text = String(runs);
  return text.length <= width ? toCentre(text, width) : '+';
}

/** The first and the last day by name. */
function drawDates(days: readonly Day[], columnWidth: number): string {
  const first = days[0]?.date.slice(5) ?? '';
  const last = days.at(-1)?.date.slice(5) ?? '';
  const width = days.length * columnWidth - 1;
  return width < first.length * 2 + 1 || first === last ? last : first.padEnd(width - last.length) + last;
}

const verdictStyles: Readonly<Record<Change['verdict'], Style>> = {
  better: 'right',
  worse: 'wrong',
  unclear: 'plain',
};

const verdictSigns: Readonly<Record<Change['verdict'], string>> = { better: '+', worse: '-', unclear: ' ' };

/** Letters side by side: percent right before and now, a plus or minus where it has surely changed. */
export function drawLetterChanges(look: Look, changes: readonly Change[], width: number): string[] {
  const cellWidth = 13;
  const perRow = Math.max(1, Math.floor(width / cellWidth));
  const cells = changes.map((change) => toWidth(drawChange(look, change, change.key), cellWidth));
  return toTable(cells, perRow);
}

export function drawFingerChanges(look: Look, changes: readonly Change[], width: number): string[] {
  const cellWidth = 19;
  const perRow = Math.min(4, Math.max(1, Math.floor(width / cellWidth)));
  const cells = changes.map((change) => {
    const name = (fingerNames[Number(change.key)] ?? '').replace('left', 'L').replace('right', 'R');
    return toWidth(drawChange(look, change, name.padEnd(8)), cellWidth);
  });
  return toTable(cells, perRow);
}

function drawChange(look: Look, { before, recent, verdict }: Change, name: string): string {
  const share = (accuracy: number | undefined) =>
    (accuracy === undefined ? look.signs.dash : String(Math.floor(accuracy))).padStart(3);
  const text = `${share(before.accuracy)}${look.signs.to}${share(recent.accuracy).trimStart()}${verdictSigns[verdict]}`;
  return `${look.paint('strong', name)} ${look.paint(verdictStyles[verdict], text)}`;
}

function toTable(cells: readonly string[], perRow: number): string[] {
  const rows = Math.ceil(cells.length / perRow);
  return Array.from({ length: rows }, (_, row) => cells.slice(row * perRow, (row + 1) * perRow).join(''));
}

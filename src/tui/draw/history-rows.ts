import type { Look } from '../look/look.ts';
import type { Style } from '../look/themes.ts';
import { fingerNames } from '../round/keyboard.ts';
import { toFitting, toWidth } from '../text/text-layout.ts';
import type { Day } from '../trend/days.ts';
import { type Changes, isComparable, type LetterChange } from '../trend/letter-change.ts';
import { scaleWidth } from './charts/chart.ts';

/** The first and the last day below a chart of so many days. */
export function drawDates(look: Look, days: readonly Day[], width: number): string {
  const room = width - scaleWidth;
  const step = Math.max(1, Math.min(4, Math.floor(room / Math.max(1, days.length))));
  const seen = days.slice(-Math.floor(room / step));
  const first = seen[0]?.date ?? '';
  const last = seen.at(-1)?.date ?? '';
  const columns = seen.length * step;
  const text =
    columns < first.length * 2 + 1 || first === last ? last : first.padEnd(columns - last.length) + last;
  return look.paint('faint', ' '.repeat(scaleWidth) + text);
}

const verdictStyles: Readonly<Record<LetterChange['verdict'], Style>> = {
  better: 'right',
  worse: 'wrong',
  unclear: 'plain',
};

const verdictSigns: Readonly<Record<LetterChange['verdict'], string>> = {
  better: '+',
  worse: '-',
  unclear: ' ',
};

/** Letters of which enough is known, side by side: percent right before and now, a plus or minus where it has surely changed. */
export function drawLetterChanges(look: Look, changes: readonly LetterChange[], width: number): string[] {
  const cellWidth = 13;
  const perRow = Math.max(1, Math.floor(width / cellWidth));
  const cells = changes
    .filter(isComparable)
    .map((change) => toWidth(drawChange(look, change, change.key), cellWidth));
  return toTable(cells, perRow);
}

export function drawFingerChanges(look: Look, changes: readonly LetterChange[], width: number): string[] {
  const cellWidth = 19;
  const perRow = Math.min(4, Math.max(1, Math.floor(width / cellWidth)));
  const cells = changes
    .filter(isComparable)
    .map((change) => toWidth(drawChange(look, change, toFingerName(change.key).padEnd(8)), cellWidth));
  return toTable(cells, perRow);
}

/** What cannot be compared, in one row; none where all can. */
export function drawUncompared(look: Look, { letters, fingers }: Changes, width: number): string[] {
  const unknown = (list: readonly LetterChange[]) =>
    list.filter((change) => !isComparable(change)).map(({ key }) => key);
  const names = [unknown(letters).join(' '), ...unknown(fingers).map(toFingerName)].filter(Boolean);
  if (names.length === 0) return [];
  const list = `Too little data: ${names.join(', ')}`;
  return [look.paint('faint', toFitting(list, look.signs.ellipsis, width))];
}

function toFingerName(key: string): string {
  return (fingerNames[Number(key)] ?? '').replace('left', 'L').replace('right', 'R');
}

function drawChange(look: Look, { before, recent, verdict }: LetterChange, name: string): string {
  const share = (accuracy = 0) => String(Math.floor(accuracy)).padStart(3);
  const text = `${share(before.accuracy)}${look.signs.to}${share(recent.accuracy).trimStart()}${verdictSigns[verdict]}`;
  return `${look.paint('strong', name)} ${look.paint(verdictStyles[verdict], text)}`;
}

function toTable(cells: readonly string[], perRow: number): string[] {
  const rows = Math.ceil(cells.length / perRow);
  return Array.from({ length: rows }, (_, row) => cells.slice(row * perRow, (row + 1) * perRow).join(''));
}

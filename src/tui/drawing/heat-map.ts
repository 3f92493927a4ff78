import type { HistoricalStatistics } from '../../server/wire-types.ts';
import { keyboardRows } from '../game/keyboard.ts';
import type { Look } from '../screen/look.ts';
import type { Style } from '../screen/theme.ts';

export type HeatMeasure = 'accuracy' | 'speed';

/** A letter met less often tells nothing yet. */
export const fewestMeetings = 5;

/** Columns of a key without the gap, and its rows. */
export interface KeySize {
  readonly width: number;
  readonly rows: 2 | 3;
}

/** What a key shows: percent right, or ms; undefined when too little is known. */
export function toKeyValue(
  history: HistoricalStatistics,
  measure: HeatMeasure,
  letter: string,
): number | undefined {
  if (measure === 'accuracy') {
    const stats = history.letter_accuracy[letter];
    if (stats === undefined || stats.presented < fewestMeetings) return undefined;
    return (stats.correct / stats.presented) * 100;
  }
  const times = history.letter_seek_time[letter];
  if (times === undefined || times.count < fewestMeetings) return undefined;
  return times.total_time_ms / times.count;
}

/** The limits are absolute: a key at 99 % is good however good the others are. */
const accuracyGrades = [90, 95, 98] as const;
const speedGrades = [320, 220, 150] as const;

export type Grade = 'grade-1' | 'grade-2' | 'grade-3' | 'grade-4';

/** From 1, where there is most to gain, to 4. */
export function toGrade(measure: HeatMeasure, value: number): Grade {
  const [poor, fair, good] = measure === 'accuracy' ? accuracyGrades : speedGrades;
  const isWorse = (limit: number) => (measure === 'accuracy' ? value < limit : value > limit);
  if (isWorse(poor)) return 'grade-1';
  if (isWorse(fair)) return 'grade-2';
  return isWorse(good) ? 'grade-3' : 'grade-4';
}

/** A drawing of the keyboard: each key has its letter, its figure, and a colour by an absolute scale. */
export function drawHeatMap(
  look: Look,
  history: HistoricalStatistics,
  measure: HeatMeasure,
  size: KeySize,
): string[] {
  return keyboardRows.flatMap((row, at) => {
    const indent = ' '.repeat(Math.round((at * (size.width + 1)) / 3));
    const keys = [...row].map((letter) =>
      drawKey(look, letter, toKeyValue(history, measure, letter), measure, size),
    );
    return Array.from({ length: size.rows }, (_, line) => indent + keys.map((key) => key[line]).join(' '));
  });
}

function drawKey(
  { paint, signs }: Look,
  letter: string,
  value: number | undefined,
  measure: HeatMeasure,
  { width, rows }: KeySize,
): string[] {
  const style = value === undefined ? 'grade-none' : toGrade(measure, value);
  const figure = value === undefined ? signs.dash : toFigure(measure, value);
  const lines = [toMiddle(letter, width), toMiddle(figure, width)];
  return (rows === 3 ? [' '.repeat(width), ...lines] : lines).map((line) => paint(style, line));
}

/** Percent are cut, not rounded: only a key that was never missed shows 100. */
function toFigure(measure: HeatMeasure, value: number): string {
  return String(measure === 'accuracy' ? Math.floor(value) : Math.min(999, Math.round(value)));
}

function toMiddle(text: string, width: number): string {
  const left = Math.ceil((width - text.length) / 2);
  return text.padStart(text.length + left).padEnd(width);
}

/** What the colours mean, from bad to good. */
export function drawHeatLegend({ paint, signs }: Look, measure: HeatMeasure): string {
  const [poor, fair, good] = measure === 'accuracy' ? accuracyGrades : speedGrades;
  const unit = measure === 'accuracy' ? '%' : 'ms';
  const parts: [Style, string][] =
    measure === 'accuracy'
      ? [
          ['grade-1', `<${poor}`],
          ['grade-2', `${signs.atLeast}${poor}`],
          ['grade-3', `${signs.atLeast}${fair}`],
          ['grade-4', `${signs.atLeast}${good} ${unit}`],
        ]
      : [
          ['grade-1', `>${poor}`],
          ['grade-2', `${signs.atMost}${poor}`],
          ['grade-3', `${signs.atMost}${fair}`],
          ['grade-4', `${signs.atMost}${good} ${unit}`],
        ];
  return parts.map(([style, text]) => paint(style, ` ${text} `)).join(' ');
}

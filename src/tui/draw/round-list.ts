import type { Look } from '../look/look.ts';
import { hasSpeed } from '../round/scoring.ts';
import { toKeyErrors } from '../round/sign-errors.ts';
import type { HistoryView } from '../state/history-view.ts';
import { toColumns } from '../terminal/columns.ts';
import { toRoundName } from '../text/day-text.ts';
import { toOneDecimal, toPercentText } from '../text/figures/figures.ts';
import { toFittingParts, toWidth } from '../text/text-layout.ts';
import type { ProgressReport } from '../trend/report.ts';
import { drawChart, scaleWidth, toScaleTop } from './charts/chart.ts';

type PastRound = ProgressReport['rounds'][number];

/** The latest rounds around the one under the cursor; those of one day with their kinds in place of the date. */
export function drawRoundList(
  look: Look,
  report: ProgressReport,
  { round: cursor, day }: Pick<HistoryView, 'round' | 'day'>,
  width: number,
  rows: number,
): string[] {
  const toHead = day === 'all days' ? toMomentOf(report) : toTimeAndKind(report);
  const first = Math.max(0, Math.min(cursor - Math.floor(rows / 2), report.rounds.length - rows));
  return report.rounds.slice(first, first + rows).map((round, at) => {
    const isChosen = first + at === cursor;
    const text = toFittingParts(toListParts(look, round, toHead(round)), '  ', width - 2);
    const style = isChosen ? 'strong' : round.counts ? 'plain' : 'faint';
    return `${isChosen ? look.paint('accent', '>') : ' '} ${look.paint(style, text)}`;
  });
}

function toMomentOf({ timeZone }: ProgressReport): (round: PastRound) => string[] {
  return ({ finished }) => [toMoment(finished, timeZone)];
}

function toTimeAndKind({ rounds, timeZone }: ProgressReport): (round: PastRound) => string[] {
  const width = Math.max(0, ...rounds.map((round) => toColumns(toRoundName(round))));
  return (round) => [toMoment(round.finished, timeZone).slice(-5), toWidth(toRoundName(round), width)];
}

function toListParts({ signs }: Look, round: PastRound, head: readonly string[]): string[] {
  const { consistency, rawWpm } = round;
  return [
    ...head,
    `${(hasSpeed(round) ? toOneDecimal(round.standardWpm) : signs.dash).padStart(5)} WPM`,
    `${toPercentText(round.accuracy).padStart(5)} %`,
    `${Math.round(round.seconds)} s`.padStart(5),
    ...(round.counts ? [] : ['not counted']), // more important than what may have no room after it
    ...(rawWpm === undefined || !hasSpeed(round) ? [] : [`raw ${toOneDecimal(rawWpm)}`]),
    ...(typeof consistency === 'number' ? [`consistency ${Math.round(consistency)} %`] : []),
  ];
}

/** YYYY-MM-DD HH:MM on the typist's clock. */
export function toMoment(finished: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return parts.format(new Date(finished));
}

/** One round with all that was kept of it, at most `rows` rows. */
export function drawRoundDetail(look: Look, round: PastRound, width: number, rows: number): string[] {
  const texts = [
    toFittingParts(toFigureParts(look, round), ', ', width),
    ...toList('Errors', toErrors(look, round), width),
    ...toList('Slow letters', toSlowLetters(round), width),
    ...toList('Slow bigrams', toSlowPairs(round), width),
  ];
  const room = rows - texts.length - 2;
  const speeds = round.speeds ?? [];
  if (speeds.length === 0 || room < 2) return texts.slice(0, rows);
  const columns = Math.max(1, Math.min(4, Math.floor((width - scaleWidth) / speeds.length)));
  const bars = speeds.flatMap((speed) => Array<number>(columns).fill(speed));
  const chart = drawChart(look, bars, Math.min(12, room), toScaleTop(speeds));
  return [...texts, '', look.paint('faint', 'WPM over the round'), ...chart];
}

function toFigureParts({ signs }: Look, round: PastRound): string[] {
  const { rawWpm, consistency, correctedErrorRate, uncorrectedErrorRate } = round;
  return [
    `${hasSpeed(round) ? toOneDecimal(round.standardWpm) : signs.dash} WPM`,
    `${toPercentText(round.accuracy)} % right`,
    `${toOneDecimal(round.seconds)} s`,
    ...(rawWpm === undefined || !hasSpeed(round) ? [] : [`raw ${toOneDecimal(rawWpm)}`]),
    ...(typeof consistency === 'number' ? [`consistency ${Math.round(consistency)} %`] : []),
    ...(correctedErrorRate === undefined || uncorrectedErrorRate === undefined
      ? []
      : [
          `errors ${toOneDecimal(correctedErrorRate)} % corrected, ${toOneDecimal(uncorrectedErrorRate)} % left`,
        ]),
    ...(round.punctuation ? ['punctuation'] : []),
    ...(round.counts ? [] : ['not counted']),
  ];
}

function toList(name: string, parts: readonly string[], width: number): string[] {
  return parts.length === 0 ? [] : [`${name}: ${toFittingParts(parts, ', ', width - name.length - 2)}`];
}

function toErrors({ signs }: Look, { errors }: PastRound): string[] {
  return toKeyErrors(errors).map(
    ({ wanted, typed, count }) => `${wanted}${signs.to}${typed}${count > 1 ? ` (${count})` : ''}`,
  );
}

const mostSlow = 12;

function toSlowLetters({ letters }: PastRound): string[] {
  return toSlowest(
    Object.entries(letters)
      .filter(([letter, { seekCount }]) => seekCount > 0 && /^\p{L}$/u.test(letter))
      .map(([letter, { seekMs, seekCount }]) => [letter, seekMs / seekCount]),
  );
}

function toSlowPairs({ bigrams = {} }: PastRound): string[] {
  return toSlowest(
    Object.entries(bigrams)
      .filter(([pair, { count }]) => count > 0 && /^\p{L}{2}$/u.test(pair))
      .map(([pair, { count, ms }]) => [pair, ms / count]),
  );
}

function toSlowest(means: readonly (readonly [string, number])[]): string[] {
  const slow = means.toSorted((a, b) => b[1] - a[1]).slice(0, mostSlow);
  return slow.map(([name, mean]) => `${name} ${Math.round(mean)} ms`);
}

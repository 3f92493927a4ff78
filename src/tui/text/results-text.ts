import type { HistoricalStatistics, LetterStats } from '../../contract/statistics-types.ts';
import { fingerNames, letters, rowNames } from '../round/keyboard.ts';
import { toSignErrors } from '../round/round-summary.ts';
import { type App, isOfflineByChoice, type RoundOutcome } from '../state/app-state.ts';
import { toAdvice } from '../trend/advice.ts';
import { toKeyValue } from '../trend/key-measure.ts';
import { toAdviceText } from './advice-text.ts';
import { toDrillLines } from './drill-text.ts';
import { toCountText } from './figures/figures.ts';
import { type ScoreRow, toFinerFigures, toScoreRows } from './figures/score-rows.ts';
import { toTimingParts } from './figures/timing-text.ts';
import { toRemarks } from './figures/verdict-text.ts';
import { toWholeShares } from './figures/whole-shares.ts';
import { toGoalText } from './goal-text.ts';

/** The results as sentences, the most important first. */
export function toResultsLines(app: App, outcome: RoundOutcome): string[] {
  const known = outcome.history ?? app.history;
  const [speed, accuracy, time] = toScoreRows(outcome);
  return [
    outcome.round.ended === undefined ? 'Round finished.' : 'Round ended.',
    ...toRemarks(outcome),
    toScoreText('Speed', 'words per minute', speed),
    toScoreText('Accuracy', 'percent', accuracy),
    toScoreText('Time', 'seconds', time),
    `Also: ${toFinerFigures(outcome).join(', ')}.`,
    `Timing: ${toTimingParts(outcome.round.quality, app.isOffThread).join(', ')}.`,
    ...toDrillLines(outcome),
    ...toSignLines(outcome),
    ...(known === undefined ? [] : toKnownLines(known)),
    ...(app.goal === undefined ? [] : [`Today: ${toGoalText(app.goal)}.`]),
    ...toDeliveryLines(app, outcome),
  ];
}

function toScoreText(name: string, unit: string, row: ScoreRow | undefined): string {
  if (row === undefined) return '';
  if (row.text === '') return `${name}: the round was too short to tell.`;
  if (row.scope !== '') return `${name}: ${row.text} ${unit} ${row.scope}.`;
  const best = row.isNewBest ? ' A new best.' : '';
  const before = row.bestText === '' ? '' : ` Best before: ${row.bestText}, average ${row.averageText}.`;
  return `${name}: ${row.text} ${unit}.${best}${before}`;
}

/** The server tells of letters only. */
function toSignLines({ round }: RoundOutcome): string[] {
  const errors = toSignErrors(round)
    .slice(0, 5)
    .map(({ wanted, typed, count }) => `${typed} for ${wanted}, ${toCountText(count, 'time')}`);
  return errors.length === 0 ? [] : [`Wrong keys with signs in this round: ${errors.join('; ')}.`];
}

function toKnownLines(history: HistoricalStatistics): string[] {
  const { total_sessions } = history;
  if (total_sessions === 0) return [];
  const fingers = Object.entries(fingerNames).map(([finger, name]) =>
    toShare(name, history.finger_stats[finger]),
  );
  const rows = rowNames.map((name, row) => toShare(`${name} row`, history.row_stats[row]));
  const { count, average_ms } = history.sfb_stats;
  const { left, right } = toWholeShares(history.hand_balance);
  const errors = history.error_patterns.slice(0, 5).map(({ expected, typed, count: times }) => {
    return `${typed === ' ' ? 'space' : typed} for ${expected}, ${toCountText(times, 'time')}`;
  });
  return [
    `Of ${total_sessions === 1 ? 'the one round' : `all ${total_sessions} rounds`} of this kind:`,
    toAdviceText(toAdvice(history)),
    errors.length === 0
      ? 'No letter was typed for another so far.'
      : `Most frequent errors: ${errors.join('; ')}.`,
    `Fingers: ${fingers.join(', ')}.`,
    `Rows: ${rows.join(', ')}.`,
    `Hands: left ${left} percent, right ${right} percent. They alternate in ${Math.round(history.alternation_rate)} percent of pairs.`,
    `Same-finger pairs: ${count}${count > 0 ? `, ${Math.round(average_ms)} milliseconds on average` : ''}. Rhythm: plus or minus ${Math.round(history.rhythm_stddev)} milliseconds.`,
    toLettersLine(history),
  ];
}

function toShare(name: string, stats: LetterStats | undefined): string {
  if (stats === undefined || stats.presented === 0) return `${name} not met yet`;
  return `${name} ${Math.floor((stats.correct / stats.presented) * 100)} percent`;
}

/** Letters of which nothing can be said yet share one clause: twenty of them would be read out one by one. */
function toLettersLine(history: HistoricalStatistics): string {
  const known = letters.map((letter) => toLetterText(history, letter)).filter((text) => text !== undefined);
  const unknown = letters.length - known.length;
  if (known.length === 0) return 'Letters: too few of each to tell.';
  const rest =
    unknown === 0 ? '' : `; too few of ${unknown === 1 ? 'one other' : `the ${unknown} others`} to tell`;
  return `Letters: ${known.join(', ')}${rest}.`;
}

function toLetterText(history: HistoricalStatistics, letter: string): string | undefined {
  const accuracy = toKeyValue(history, 'accuracy', letter);
  const speed = toKeyValue(history, 'speed', letter);
  if (accuracy === undefined) return undefined;
  return `${letter} ${Math.floor(accuracy)} percent${speed === undefined ? '' : ` in ${Math.round(speed)} milliseconds`}`;
}

function toDeliveryLines(app: App, outcome: RoundOutcome): string[] {
  const { delivery } = app;
  if (outcome.round.ended !== undefined) return ['This round is in your own record only.'];
  if (outcome.unsaved !== '')
    return ['The server could not write this round to its disk; it will try again.'];
  if (outcome.history !== undefined) return [];
  if (delivery.lost !== '') return [`This round counts in your own record only: ${delivery.lost}.`];
  if (isOfflineByChoice(app))
    return ['You are offline; the round is kept here and delivered at a later start.'];
  return delivery.away === '' ? [] : ['The server is away; the round is kept here until it returns.'];
}

import type { HistoricalStatistics, LetterStats } from '../../contract/answer-types.ts';
import { plural } from '../../kit/terminal-text.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { isFitForBest } from '../../typing/statistics/score-statistics.ts';
import { type Advice, adviceOf } from '../progress/advice.ts';
import { fingerNames, hasSpeed, percentText, rowNames } from '../progress/figures.ts';
import { lettersOfHistory, letterValue } from '../progress/letters.ts';
import { type KeyError, keyErrors } from '../progress/round-record.ts';
import { drilledPairs, isReached } from '../round/drill-times.ts';
import { missedWords } from '../round/missed-words.ts';
import type { RoundLimits } from '../round/practised.ts';
import { type RoundView, reportsOf } from '../round/round-view.ts';
import type { Verdict } from '../round/scoring.ts';
import type { RoundOutcome, State } from '../state/state.ts';
import { goalText } from '../state/text.ts';

/** What a round is compared with. */
export interface Comparison {
  /** Bests and averages of the rounds of this kind before; undefined if there were none. */
  readonly before: HistoricalStatistics | undefined;
  /** What was new: one star a round, speed before accuracy. */
  readonly newBest: 'wpm' | 'accuracy' | undefined;
}

export function comparison({ score, before }: RoundOutcome): Comparison {
  if (before === undefined || before.total_sessions === 0) return { before: undefined, newBest: undefined };
  const canBeBest = score.verdict === null && isFitForBest(score.accuracy);
  const isFaster = before.best_standard_wpm > 0 && score.standardWpm > before.best_standard_wpm;
  const newBest = isFaster ? 'wpm' : score.accuracy > before.best_accuracy ? 'accuracy' : undefined;
  return { before, newBest: canBeBest ? newBest : undefined };
}

/** What to know before the figures are believed; nothing for most rounds. */
export function remarks(outcome: RoundOutcome): string[] {
  const { verdict, accuracy, omitted } = outcome.score;
  const isNoBest = verdict === null && !isFitForBest(accuracy);
  return [
    ...(verdict === null ? [] : [verdictText(verdict, outcome.round)]),
    ...(isNoBest ? [`${accuracy === 0 ? 'No key right' : 'Most keys wrong'}: counted, but no best.`] : []),
    ...(omitted === 0 ? [] : [`${plural(omitted, 'letter')} left out.`]),
  ];
}

const reasons: Readonly<Record<Exclude<Verdict, 'ended'>, string>> = {
  too_fast: 'Not counted: faster than anyone types.',
  unmeasured: 'Not counted: most keys came at once.',
  drill: 'Not counted: a drill.',
};

function verdictText(verdict: Verdict, { ended, practised: { limits } }: RoundView): string {
  return verdict === 'ended' ? `Not counted: ended ${endText(ended, limits)}.` : reasons[verdict];
}

function endText(ended: RoundView['ended'], { minWpm, minAccuracy }: RoundLimits): string {
  if (ended === 'slow') return `below ${minWpm} WPM`;
  return ended === 'inaccurate' ? `below ${minAccuracy} %` : 'by a mistake';
}

/** Characters of every kind, how even they came, and what became of the mistakes. */
export function finerFigures({ score }: RoundOutcome): string[] {
  const { rawWpm, consistency, correctedErrorRate, uncorrectedErrorRate } = score;
  return [
    ...(hasSpeed(score) ? [`raw ${rawWpm.toFixed(1)} WPM`] : []),
    ...(consistency === null ? [] : [`consistency ${Math.round(consistency)} %`]),
    `errors corrected ${correctedErrorRate.toFixed(1)} %`,
    `left ${uncorrectedErrorRate.toFixed(1)} %`,
  ];
}

/** How far the times of this round can be believed, the most telling first. */
export function timingParts({ quality }: Pick<RoundView, 'quality'>): string[] {
  const { together, unmeasured, repeats, pastes } = quality;
  return [
    unmeasured === 0 ? 'every key timed' : `${plural(unmeasured, 'key')} not timed`,
    ...(together > 0
      ? [`${plural(together, 'key')} arrived with ${together === 1 ? 'another' : 'others'}`]
      : []),
    ...(repeats > 0 ? [`${plural(repeats, 'key')} from holding one down`] : []),
    ...(pastes > 0 ? [`${plural(pastes, 'paste')} left out`] : []),
  ];
}

/** The wrong keys of a round, the most frequent first; the right letter in the wrong case is one. */
export function roundErrors(reports: readonly KeyReport[]): KeyError[] {
  const errors: Record<string, number> = {};
  for (const { kind, key, word, at, isRight } of reports) {
    const wanted = word[at];
    if (kind !== 'character' || isRight || wanted === undefined) continue;
    errors[`${wanted}>${key}`] = (errors[`${wanted}>${key}`] ?? 0) + 1;
  }
  return keyErrors(errors);
}

/** `all 34 rounds of this kind`, for what is not of this round alone. */
export function scopeText({ total_sessions: rounds }: HistoricalStatistics): string {
  if (rounds === 1) return 'the one round of this kind';
  return rounds === 2 ? 'both rounds of this kind' : `all ${rounds} rounds of this kind`;
}

/**
 * What all rounds of the kind say of letters and fingers; undefined if nothing is known and this round adds
 * nothing, such as a drill: a screen full of dashes helps nobody.
 */
export function knownHistory(
  state: State,
  { round, history }: RoundOutcome,
): HistoricalStatistics | undefined {
  const known = history ?? state.history;
  return round.practised.mode.type === 'drill' || known?.total_sessions === 0 ? undefined : known;
}

export function historyAdvice(known: HistoricalStatistics | undefined): string {
  return known === undefined ? '' : adviceText(adviceOf(lettersOfHistory(known), known.error_patterns));
}

/** Points below all letters from which the accuracy of a slow letter is worth mentioning. */
const notable = 3;

/** The advice in one sentence. */
export function adviceText(advice: Advice): string {
  if (advice.kind === 'too-few')
    return 'Play a few more rounds and this line will tell you what to practise.';
  if (advice.kind === 'even')
    return `No letter stands out: you are even at ${Math.floor(advice.accuracy)} %. Try a little faster.`;
  const { letter, reason, accuracy, presented, overallAccuracy, seekMs, overallSeekMs, confusedWith } =
    advice;
  const instead = confusedWith === '' ? '' : `, often ${confusedWith} instead`;
  if (reason === 'slow' && seekMs !== undefined) {
    const isInaccurate = overallAccuracy - accuracy >= notable;
    const also = isInaccurate ? `; right only ${Math.floor(accuracy)} %${instead}` : '';
    return `Practise ${letter}: ${Math.round(seekMs)} ms (all letters ${Math.round(overallSeekMs)} ms)${also}.`;
  }
  return `Practise ${letter}: right ${Math.floor(accuracy)} % of ${presented} times (all letters ${Math.floor(overallAccuracy)} %)${instead}.`;
}

/** Where the round is, and whether that is a warning. */
export function placeText(state: State, outcome: RoundOutcome): { text: string; isWarning: boolean } {
  const { round, unsaved, history } = outcome;
  if (round.ended !== undefined) return { text: 'not kept: it ended early', isWarning: false };
  if (unsaved) return { text: `not saved: ${unsaved}`, isWarning: true };
  if (state.away !== '') return { text: 'server away: kept here until it returns', isWarning: true };
  if (history === undefined) return { text: unsaved === undefined ? 'saving' : 'saved', isWarning: false };
  const { total_sessions: counted, rounds_not_counted: others } = history;
  const isDrill = round.practised.mode.type === 'drill';
  const text = isDrill
    ? `${plural(others, 'drill')} so far`
    : counted > 0
      ? `${plural(counted, 'round')} of this kind`
      : 'no round of this kind counts yet';
  return { text, isWarning: false };
}

/** What came of a drill without pairs: the words that were missed. */
export function missedText({ round }: RoundOutcome): string {
  const { mode } = round.practised;
  const missed = missedWords(round);
  const isUnknown = mode.type === 'drill' && mode.on === 'bigrams' && mode.targets === undefined;
  const none = isUnknown ? 'No slow pair is known yet: these were common words. ' : '';
  return `${none}${missed.length === 0 ? 'No word was missed.' : `Missed: ${missed.join(', ')}.`}`;
}

/** That it is over, and which attempt at its text it was. */
export function endTitle({ attempt }: State, { round }: RoundOutcome): string {
  const what = attempt > 1 ? `Attempt ${attempt}` : 'Round';
  return `${what} ${round.ended === undefined ? 'finished' : 'ended'}`;
}

/** The results as sentences, the most important first: for `--plain`. */
export function resultsLines(state: State, outcome: RoundOutcome): string[] {
  const { round, score } = outcome;
  const { newBest, before } = comparison(outcome);
  const known = knownHistory(state, outcome);
  const star = (name: typeof newBest) => (newBest === name ? ' A new best.' : '');
  const had = (best: number, average: number, text: (value: number) => string) =>
    before === undefined || best === 0 ? '' : ` Best before: ${text(best)}, average ${text(average)}.`;
  const speed = !hasSpeed(score)
    ? 'Speed: the round was too short to tell.'
    : `Speed: ${score.standardWpm.toFixed(1)} words per minute.${star('wpm')}${had(before?.best_standard_wpm ?? 0, before?.average_standard_wpm ?? 0, (value) => value.toFixed(1))}`;
  const place = placeText(state, outcome);
  const reports = reportsOf(round);
  return [
    `${endTitle(state, outcome)}.`,
    ...remarks(outcome),
    speed,
    `Accuracy: ${percentText(score.accuracy)} percent.${star('accuracy')}${had(before?.best_accuracy ?? 0, before?.average_accuracy ?? 0, percentText)}`,
    ...(round.practised.source === '' ? [] : [`Quote: ${round.practised.source}.`]),
    `Time: ${score.seconds.toFixed(1)} seconds for ${plural(round.score.right + round.score.wrong, 'character')}.`,
    `Also: ${finerFigures(outcome).join(', ')}.`,
    `Timing: ${timingParts(round).join(', ')}.`,
    ...errorLines('Wrong keys in this round', roundErrors(reports).slice(0, maxErrors)),
    ...(round.practised.mode.type === 'drill' ? drillLines(outcome, reports) : []),
    ...(known === undefined ? [] : knownLines(known)),
    ...(state.goal === undefined ? [] : [`Today: ${goalText(state.goal)}.`]),
    ...(score.verdict === 'ended' || place.isWarning
      ? [`${place.text.slice(0, 1).toUpperCase()}${place.text.slice(1)}.`]
      : []),
  ];
}

const maxErrors = 5;

function errorLines(name: string, errors: readonly KeyError[]): string[] {
  const texts = errors.map(({ wanted, typed, count }) => `${typed} for ${wanted}, ${plural(count, 'time')}`);
  return texts.length === 0 ? [] : [`${name}: ${texts.join('; ')}.`];
}

function drillLines(outcome: RoundOutcome, reports: readonly KeyReport[]): string[] {
  const pairs = drilledPairs(outcome.round, reports);
  if (pairs.length === 0) return [missedText(outcome)];
  const target = Math.round(pairs[0]?.targetMs ?? 0);
  const texts = pairs.map((pair) => {
    const before = pair.beforeMs === null ? '' : `, before ${Math.round(pair.beforeMs)}`;
    if (pair.ms === undefined)
      return `${pair.pair} ${pair.isInWords ? 'not measured' : 'not in these words'}${before}.`;
    const reached = isReached(pair) ? ', target reached' : '';
    return `${pair.pair} ${Math.round(pair.ms)} milliseconds (${plural(pair.count, 'time')})${before}${reached}.`;
  });
  return [`Drilled pairs, with a target of ${target} milliseconds:`, ...texts];
}

function knownLines(known: HistoricalStatistics): string[] {
  const { hand_balance, sfb_stats, alternation_rate, rhythm_stddev } = known;
  const errors = known.error_patterns
    .slice(0, maxErrors)
    .map(({ expected, typed, count }) => ({ wanted: expected, typed: typed.trim() || 'space', count }));
  const shares = (stats: Readonly<Record<string, LetterStats>>, nameOf: (key: number) => string) =>
    Object.entries(stats)
      .filter(([, { presented }]) => presented > 0)
      .map(([key, { presented, correct }]) => {
        return `${nameOf(Number(key))} ${Math.floor((correct / presented) * 100)} percent`;
      })
      .join(', ');
  const [left, right] = handShares(hand_balance);
  return [
    `Of ${scopeText(known)}:`,
    historyAdvice(known),
    ...(errors.length === 0
      ? ['No letter was typed for another so far.']
      : errorLines('Most frequent errors', errors)),
    `Fingers: ${shares(known.finger_stats, (finger) => fingerNames[finger] ?? '')}.`,
    `Rows: ${shares(known.row_stats, (row) => `${rowNames[row]} row`)}.`,
    `Hands: left ${left} percent, right ${right} percent. They alternate in ${Math.round(alternation_rate)} percent of pairs.`,
    `Same-finger pairs: ${sfb_stats.count}${sfb_stats.count > 0 ? `, ${Math.round(sfb_stats.average_ms)} milliseconds on average` : ''}. Rhythm: plus or minus ${Math.round(rhythm_stddev)} milliseconds.`,
    lettersLine(known),
  ];
}

/** The shares of both hands as whole percentages that add up to 100; without letters both are 0. */
export function handShares({ left, right }: HistoricalStatistics['hand_balance']): [number, number] {
  const whole = Math.round(left);
  return [whole, right === 0 ? 0 : 100 - whole];
}

/** Letters of which nothing can be said yet share one clause: twenty of them would be read out one by one. */
function lettersLine(known: HistoricalStatistics): string {
  const letters = [...lettersOfHistory(known)].sort(([a], [b]) => a.localeCompare(b));
  const texts = letters.flatMap(([letter, sums]) => {
    const [accuracy, speed] = [letterValue(sums, 'accuracy'), letterValue(sums, 'speed')];
    if (accuracy === undefined) return [];
    const time = speed === undefined ? '' : ` in ${Math.round(speed)} milliseconds`;
    return [`${letter} ${Math.floor(accuracy)} percent${time}`];
  });
  if (texts.length === 0) return 'Letters: too few of each to tell.';
  const unknown = letters.length - texts.length;
  const others = unknown === 1 ? 'one other' : `the ${unknown} others`;
  return `Letters: ${texts.join(', ')}${unknown === 0 ? '' : `; too few of ${others} to tell`}.`;
}

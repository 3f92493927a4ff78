// The results as text, of which the drawn screen and the plain sentences are made.
import type { HistoricalStatistics, LetterStats } from '../../contract/answer-types.ts';
import { plural } from '../../kit/terminal-text.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { isFitForBest } from '../../typing/statistics/score-statistics.ts';
import { type Look, type Style, spokenLook } from '../look/look.ts';
import { fingerNames, hasSpeed, percentText, rowNames } from '../progress/figures.ts';
import {
  accuracyLimits,
  adviceText,
  gradeOf,
  lettersOfHistory,
  lettersText,
  minPresses,
} from '../progress/letters.ts';
import { type KeyError, keyErrors, wrongKeys } from '../progress/round-record.ts';
import { type RoundView, reportsOf } from '../round/round-view.ts';
import { missedWords, type Verdict } from '../round/scoring.ts';
import type { RoundOutcome, State } from '../state/state.ts';
import { goalText } from '../state/text.ts';
import type { KeyHint } from '../view/page.ts';

/** The keys that do something on the results, the most important first: help explains what has no room. */
export function resultsKeys({ outcome, size }: State, hasMap: boolean): KeyHint[] {
  const hasMissed = outcome !== undefined && missedWords(outcome.round).length > 0;
  const help = [['?', 'help']] as const;
  return [
    ['Enter', 'next round'],
    ...(size.columns < 60 ? help : []),
    ['r', 'again'],
    ...(hasMissed ? ([['m', 'missed words']] as const) : []),
    ['Esc', 'leave'],
    ...(hasMap ? ([['k', 'key colours']] as const) : []),
    ['Ctrl+Y', 'history'],
    ['Ctrl+P', 'choose'],
    ...(size.columns < 60 ? [] : help),
    ['Ctrl+O', 'options'],
  ];
}

/** Everything that is said of a round, in the signs of `look`. */
export type ResultsText = Readonly<ReturnType<typeof resultsText>>;

export function resultsText(look: Look, state: State, outcome: RoundOutcome) {
  const { round } = outcome;
  const { attempt, goal } = state;
  const reports = reportsOf(round);
  const known = knownHistory(state, outcome);
  const unmeasured = reports.filter(({ kind, isTimed, ms }) => kind === 'character' && isTimed && ms === 0);
  const timed = unmeasured.length === 0 ? 'every key timed' : `${plural(unmeasured.length, 'key')} not timed`;
  return {
    reports,
    /** Statistics over all rounds of the kind, and how many these are. */
    known,
    scope: known?.total_sessions === 1 ? 'the one round' : `all ${known?.total_sessions} rounds`,
    /** That it is over, and which attempt at its text it was. */
    title: `${attempt > 1 ? `Attempt ${attempt}` : 'Round'} ${round.ended === undefined ? 'finished' : 'ended'}`,
    remarks: remarks(outcome),
    figures: figureRows(look, outcome, reports),
    /** How many keys were timed: not those that came together, or after a pause. */
    timing: `Timing: ${timed}.`,
    drill: drillText(round),
    hands: known === undefined ? [] : handRows(look, known),
    advice: known === undefined ? '' : adviceText(lettersOfHistory(known), errorsOf(known)),
    problem: problemText(state, outcome),
    place: placeText(outcome),
    goal: goalText(goal),
  };
}

/** Undefined if there are none and this round adds nothing, such as a drill: only dashes help nobody. */
function knownHistory(state: State, { round, history }: RoundOutcome): HistoricalStatistics | undefined {
  const known = history ?? state.history;
  return round.roundSetup.mode.type === 'drill' || known?.total_sessions === 0 ? undefined : known;
}

/** One star a round, speed before accuracy; none for the first round of a kind. */
function newBestOf({ score, before }: RoundOutcome): 'wpm' | 'accuracy' | undefined {
  if (before === undefined || before.total_sessions === 0) return undefined;
  if (score.verdict !== null || !isFitForBest(score.accuracy)) return undefined;
  if (before.best_standard_wpm > 0 && score.standard_wpm > before.best_standard_wpm) return 'wpm';
  return score.accuracy > before.best_accuracy ? 'accuracy' : undefined;
}

/** Reservations about the figures; none for most rounds. */
function remarks(outcome: RoundOutcome): string[] {
  const { verdict, accuracy, omitted_chars: omitted } = outcome.score;
  const isNoBest = verdict === null && !isFitForBest(accuracy);
  return [
    ...(verdict === null ? [] : [verdictText(verdict, outcome.round)]),
    ...(isNoBest ? [`${accuracy === 0 ? 'No key right' : 'Most keys wrong'}: counted, but no best.`] : []),
    ...(omitted === 0 ? [] : [`${plural(omitted, 'letter')} left out.`]),
  ];
}

const verdicts: Readonly<Record<Exclude<Verdict, 'ended'>, string>> = {
  too_fast: 'faster than anyone types',
  unmeasured: 'most keys came at once',
  drill: 'a drill',
};

function verdictText(verdict: Verdict, { ended, roundSetup: { limits } }: RoundView): string {
  if (verdict !== 'ended') return `Not counted: ${verdicts[verdict]}.`;
  const least = ended === 'slow' ? `${limits.minWpm} WPM` : `${limits.minAccuracy} %`;
  return `Not counted: ended ${ended === 'mistake' ? 'by a mistake' : `below ${least}`}.`;
}

/** Why the round is not where it should be; empty if it is. */
function problemText({ away }: State, { round, unsaved }: RoundOutcome): string {
  if (round.ended !== undefined) return '';
  if (unsaved) return `not saved: ${unsaved}`;
  return away === '' ? '' : 'server away: kept here until it returns';
}

/** Whether the round is saved, and how many there are of its kind now. */
function placeText({ round, unsaved, history }: RoundOutcome): string {
  if (round.ended !== undefined) return 'not saved: it ended early';
  if (history === undefined) return unsaved === undefined ? 'saving' : 'saved';
  const { total_sessions: counted, rounds_not_counted: others } = history;
  if (round.roundSetup.mode.type === 'drill') return `${plural(others, 'drill')} so far`;
  return counted > 0 ? `${plural(counted, 'round')} of this kind` : 'no round of this kind counts yet';
}

/** What a drill says instead of statistics: the words that were missed. */
function drillText(round: RoundView): string {
  if (round.roundSetup.mode.type !== 'drill') return '';
  const missed = missedWords(round);
  return missed.length === 0 ? 'No word was missed.' : `Missed: ${missed.join(', ')}.`;
}

/** The figures of the round in five rows, in each the most important part first. */
function figureRows(look: Look, outcome: RoundOutcome, reports: readonly KeyReport[]): string[][] {
  const { paint, signs } = look;
  const { score, round, before } = outcome;
  const newBest = newBestOf(outcome);
  // Two parts: a narrow window has room for the star.
  const bestMarks = [signs.newBest, 'new best'].filter((mark) => mark !== '');
  const compared = (
    name: typeof newBest,
    [value, figure]: readonly [number, string],
    text: (value: number) => string,
    [best = 0, average = 0]: readonly (number | undefined)[],
  ) => [
    paint('strong', figure),
    ...(newBest === name ? bestMarks : []).map((mark) => paint('right', mark)),
    ...(best === 0
      ? []
      : [`${value > best ? 'before' : 'best'} ${text(best)}`, `average ${text(average)}`].map((had) =>
          paint('faint', had),
        )),
  ];
  const wpm = hasSpeed(score) ? `${score.standard_wpm.toFixed(1)} WPM` : 'too short for a speed';
  const speeds = [before?.best_standard_wpm, before?.average_standard_wpm];
  const accuracies = [before?.best_accuracy, before?.average_accuracy];
  const { source } = round.roundSetup;
  const errors = keyErrors([wrongKeys(reports)]).map((error) => errorText(error, look));
  return [
    compared('wpm', [score.standard_wpm, wpm], (value) => value.toFixed(1), speeds),
    compared('accuracy', [score.accuracy, `${percentText(score.accuracy)} %`], percentText, accuracies),
    [
      paint('strong', `${score.seconds.toFixed(1)} s`),
      paint('faint', `for ${plural(round.score.right + round.score.wrong, 'character')}`),
      ...(source === '' ? [] : [paint('faint', `from ${source}`)]),
    ],
    [
      ...(hasSpeed(score) ? [`raw ${score.raw_wpm.toFixed(1)} WPM`] : []),
      ...(score.consistency === null ? [] : [`consistency ${Math.round(score.consistency)} %`]),
      `errors left ${score.uncorrected_error_rate.toFixed(1)} %`,
      `corrected ${score.corrected_error_rate.toFixed(1)} %`,
    ].map((figure) => paint('faint', figure)),
    errors.length === 0 ? [paint('faint', 'no wrong letters')] : [paint('faint', 'wrong'), ...errors],
  ];
}

function errorText({ wanted, typed, count }: KeyError, { signs }: Look): string {
  return `${wanted}${signs.to}${typed === ' ' ? signs.space : typed} ${count}${signs.error}`;
}

/** What the hands did in all rounds of the kind: fingers by hand, keyboard rows, flow and errors. */
function handRows(look: Look, known: HistoricalStatistics): { name: string; parts: string[] }[] {
  const { paint, signs } = look;
  const { left, right } = known.hand_balance;
  const hand = (fingers: readonly number[], share: number) => [
    ...fingers.map((finger) => {
      const [, name = ''] = fingerNames[finger]?.split(' ') ?? [];
      return `${name} ${drawShare(look, known.finger_stats[finger])}`;
    }),
    `${paint('faint', 'share')} ${Math.round(share)} %`,
  ];
  const { count, average_ms } = known.sfb_stats;
  const rows = rowNames
    .map((name, row) => ({ name, stats: known.row_stats[row] }))
    .filter(({ stats }, row) => row < 3 || (stats?.presented ?? 0) > 0);
  const errors = errorsOf(known).map((error) => errorText(error, look));
  return [
    { name: 'Left', parts: hand([0, 1, 2, 3], left) },
    { name: 'Right', parts: hand([6, 7, 8, 9], right) },
    { name: 'Rows', parts: rows.map(({ name, stats }) => `${name} ${drawShare(look, stats)}`) },
    {
      name: 'Flow',
      parts: [
        `hands alternate ${Math.round(known.alternation_rate)} %`,
        count > 0 ? `same finger ${Math.round(average_ms)} ms (${count}${signs.error})` : 'same finger none',
        `rhythm ${signs.plusMinus} ${Math.round(known.rhythm_stddev)} ms`,
      ],
    },
    { name: 'Errors', parts: errors.length === 0 ? [paint('faint', 'no wrong letters')] : errors },
  ];
}

function errorsOf({ error_patterns }: HistoricalStatistics): KeyError[] {
  return error_patterns.map(({ expected, typed, count }) => ({ wanted: expected, typed, count }));
}

/** Among words, letters in colour are quieter than fields of it. */
const shareStyles: readonly Style[] = ['wrong', 'warning', 'plain', 'right'];

function drawShare({ paint, signs }: Look, stats: LetterStats | undefined): string {
  if (stats === undefined || stats.presented < minPresses) return paint('faint', signs.dash);
  const accuracy = (stats.correct / stats.presented) * 100;
  const grade = gradeOf(accuracy, 'accuracy', accuracyLimits);
  return paint(shareStyles[grade - 1] ?? 'plain', `${Math.floor(accuracy)} %`);
}

/** The results as sentences, the most important first: for `--plain`. */
export function resultsLines(state: State, outcome: RoundOutcome): string[] {
  const text = resultsText(spokenLook, state, outcome);
  const sentence = (parts: readonly string[]) =>
    `${parts.join(', ')}.`.replace(/(?<!\d)1 times/g, 'once').replace(/^[\d.]+ %/, '$& right');
  const isMeasured = (part: string) => !/unknown$|^(?:share|hands alternate|rhythm .*) 0 /.test(part);
  return [
    sentence([text.title, text.problem || text.place]),
    ...text.remarks,
    ...text.figures.map(sentence),
    text.timing,
    text.drill,
    ...(text.known === undefined
      ? []
      : [
          `Of ${text.scope} of this kind:`,
          text.advice,
          ...text.hands.map(({ name, parts }) => `${name}: ${sentence(parts.filter(isMeasured))}`),
          lettersText(lettersOfHistory(text.known)),
        ]),
    text.goal === '' ? '' : `Today: ${text.goal}.`,
  ].filter((line) => line !== '' && !line.endsWith(': .'));
}

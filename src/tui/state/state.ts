/*
 * Everything that is on the screen, as one immutable value. `update.ts` makes the next one from an event;
 * `view/typing.ts` and the Ink screens draw it.
 *
 * A screen drawn with Ink is a component of `ScreenProps`. It has no input of its own: keys reach
 * `update.ts`, which has one reducer for each screen, and the component is drawn again with the next state.
 */
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import type { ModeRequest } from '../../contract/session-setup.ts';
import { defaultMode, describeMode } from '../../typing/modes/mode.ts';
import type { Catalog } from '../link/answers.ts';
import type { SessionSetup } from '../link/session.ts';
import type { Look } from '../look/look.ts';
import type { DailyGoal } from '../progress/days.ts';
import type { KeyMeasure } from '../progress/letters.ts';
import type { Kind, ProgressReport } from '../progress/report.ts';
import type { CustomText, Options } from '../record/options.ts';
import type { Pacer } from '../round/pacer.ts';
import { defaultRoundSetup, isReadAsText } from '../round/round-setup.ts';
import type { RoundView } from '../round/round-view.ts';
import { type RoundScore, scoreOf } from '../round/scoring.ts';
import type { Size } from '../terminal/painter.ts';
import { newPalette, type Palette } from './palette.ts';

/** `typing` is painted row by row; all others are drawn with Ink. */
type Screen = 'typing' | 'results' | 'options' | 'history' | 'help' | 'resume' | 'palette';

export interface ScreenProps {
  readonly look: Look;
  readonly state: State;
}

/** A finished round with everything that is known about it so far. */
export interface RoundOutcome {
  readonly round: RoundView;
  readonly score: RoundScore;
  /** Bests and averages as they were before this round; undefined if they were never read. */
  readonly before: HistoricalStatistics | undefined;
  /** Over all rounds of the kind, this one included; undefined until it is saved. */
  readonly history: HistoricalStatistics | undefined;
  /** Why the round could not be saved on this computer; empty if it could, undefined until that is known. */
  readonly unsaved: string | undefined;
  /** Keys before this monotonic ms were still meant for the round. */
  readonly settlesAt: number;
}

export interface InterruptedRound {
  readonly path: string;
  readonly round: RoundView;
}

export const historyPages = ['progress', 'letters', 'bigrams', 'rounds'] as const;
export type HistoryPage = (typeof historyPages)[number];

export interface HistoryView {
  readonly page: HistoryPage;
  /** All kinds of rounds that there are, and the place of the one shown. */
  readonly kinds: readonly Kind[];
  readonly kind: number;
  /** The round under the cursor, from the latest on. */
  readonly round: number;
}

export const newHistoryView: HistoryView = { page: 'progress', kinds: [], kind: 0, round: 0 };

export interface State {
  readonly screen: Screen;
  /** What there is to draw on. */
  readonly size: Size;
  /** The screen below options, history, help and palette. */
  readonly below: 'typing' | 'results';
  /** Undefined while there are no words. */
  readonly round: RoundView | undefined;
  readonly outcome: RoundOutcome | undefined;
  /** The latest statistics over all rounds of the kind. */
  readonly history: HistoricalStatistics | undefined;
  /** Why the server does not answer; empty while it does, and if none is used. */
  readonly away: string;
  /** Why there are no words yet; empty while nothing is wrong. */
  readonly waiting: string;
  /** What pressing the same key again would do to the round in progress. */
  readonly confirming: 'leave' | 'restart' | undefined;
  /** One sentence about the last event; the next key removes it. */
  readonly notice: string;
  /** A notice to show with the first words; empty for none. */
  readonly greeting: string;
  /** The profile in use; empty for the default one. */
  readonly profile: string;
  readonly options: Options;
  readonly optionRow: number;
  readonly measure: KeyMeasure;
  /** First row shown of a text longer than the screen. */
  readonly scroll: number;
  /** The report on all finished rounds; undefined until they are read. */
  readonly report: ProgressReport | undefined;
  readonly historyView: HistoryView;
  readonly interruptedRound: InterruptedRound | undefined;
  /** Active ms of the round, as of the latest tick of its clock. */
  readonly elapsed: number;
  /** A custom text, in place of the mode of the options. */
  readonly customText: CustomText | undefined;
  /** The file of a text chosen in the palette. */
  readonly wantedText: string;
  /** Progress towards the daily goal; undefined without one, and until it is known. */
  readonly goal: DailyGoal | undefined;
  /** How often this text was typed, this time included; and the moments of the previous time, if any. */
  readonly attempt: number;
  readonly pastMoments: readonly number[];
  /** The moments of the last round of this kind, empty if there is none; undefined until they are read. */
  readonly lastMoments: readonly number[] | undefined;
  /** The words to practise in place of everything else until the next results are left; empty: none. */
  readonly missed: string;
  readonly palette: Palette;
  /** Languages and layouts; undefined until they are loaded. */
  readonly catalog: Catalog | undefined;
}

export function newState(options: Options): State {
  return {
    screen: 'typing',
    size: { columns: 80, rows: 24 },
    below: 'typing',
    round: undefined,
    outcome: undefined,
    history: undefined,
    away: '',
    waiting: '',
    confirming: undefined,
    notice: '',
    greeting: '',
    profile: '',
    options,
    optionRow: 0,
    measure: 'accuracy',
    scroll: 0,
    report: undefined,
    historyView: newHistoryView,
    interruptedRound: undefined,
    elapsed: 0,
    customText: undefined,
    wantedText: '',
    goal: undefined,
    attempt: 1,
    pastMoments: [],
    lastMoments: undefined,
    missed: '',
    palette: newPalette,
    catalog: undefined,
  };
}

/** Shows a round to type: a new one, or one that was left earlier. */
export function withNewRound(state: State, round: RoundView): State {
  return {
    ...state,
    screen: state.screen === 'resume' || state.screen === 'results' ? 'typing' : state.screen,
    below: 'typing',
    round,
    outcome: undefined,
    waiting: '',
    confirming: undefined,
    notice: state.greeting,
    greeting: '',
    interruptedRound: undefined,
    elapsed: round.active,
  };
}

/** How long after a round's last key others are still meant for it, ms; longer if its end is unexpected. */
const settlingTime = 400;
const settlingTimeIfUnexpected = 1000;

/** The results of a round, as far as they are known before it is saved. */
export function withResults(state: State, round: RoundView, time: number): State {
  const isEnterUsual = state.options.advance !== 'space' || isReadAsText(round.roundSetup);
  const isUnexpected = round.isOver || round.ended !== undefined || isEnterUsual;
  const outcome: RoundOutcome = {
    round,
    score: scoreOf(round),
    before: state.history,
    history: undefined,
    unsaved: undefined,
    settlesAt: time + (isUnexpected ? settlingTimeIfUnexpected : settlingTime),
  };
  return {
    ...state,
    screen: 'results',
    below: 'results',
    round,
    outcome,
    confirming: undefined,
    notice: '',
    scroll: 0,
  };
}

/** What the next round practises. */
export function sessionSetup(state: State): SessionSetup {
  const { options } = state;
  const { punctuation, strict, stopOn, backspace, layout, suddenDeath, minWpm, minAccuracy } = options;
  return {
    punctuation_mode: punctuation,
    rules: { early_space: strict ? 'error' : 'skip', stop_on: stopOn, backspace },
    limits: { suddenDeath, minWpm, minAccuracy },
    mode: modeOf(state),
    language: languageOf(state),
    layout,
    isCustomText: state.customText !== undefined,
  };
}

function modeOf({ missed, customText, options }: State): ModeRequest {
  if (missed !== '') return { type: 'drill', on: 'words', text: missed };
  if (customText === undefined) return options.mode;
  const { text, title, code, list } = customText;
  const words = options.mode.type === 'words' ? options.mode : undefined;
  if (list !== undefined) return { ...defaultMode, ...words, list };
  return { type: 'text', text, title, ...(code !== undefined && { code }) };
}

/** Modes that do not depend on the language count as English, so that their rounds can be compared. */
function languageOf({ customText, options: { mode, language } }: State): string {
  if (customText?.code !== undefined) return defaultRoundSetup.language;
  if (customText !== undefined) return language;
  return describeMode(mode.type).isEnglish ? defaultRoundSetup.language : language;
}

/** What the typist races; undefined for nothing, and until it is known. */
export function pacerOf({ options: { pace }, history, lastMoments, pastMoments }: State): Pacer | undefined {
  if (pastMoments.length > 0) return { type: 'round', moments: pastMoments };
  if (pace === 'off') return undefined;
  if (pace === 'last') return lastMoments?.length ? { type: 'round', moments: lastMoments } : undefined;
  const known = { average: history?.average_standard_wpm, best: history?.best_standard_wpm };
  const wpm = typeof pace === 'number' ? pace : (known[pace] ?? 0);
  return wpm > 0 ? { type: 'speed', wpm } : undefined;
}

import type { HistoricalStatistics, SessionStatistics } from '../../contract/statistics-types.ts';
import type { Rules } from '../../typing/rules/rules.ts';
import { type DeliveryStatus, type Receipt, serverNotWanted } from '../link/delivery/delivery-state.ts';
import type { Catalog } from '../link/session/catalog.ts';
import type { ModeRequest, SessionSetup } from '../link/session/session-setup.ts';
import { type Options, type OwnText, toChosenOwnLayout } from '../record/options.ts';
import type { UnsentRound } from '../record/unsent-journal.ts';
import type { Pacer } from '../round/pacer.ts';
import { type Practised, usualPractised } from '../round/practised.ts';
import { type LocalRound, newLocalRound } from '../round/round.ts';
import { type RoundScore, toScore } from '../round/scoring.ts';
import type { Size } from '../terminal/size.ts';
import type { DailyGoal } from '../trend/goal.ts';
import type { KeyMeasure } from '../trend/key-measure.ts';
import type { ProgressReport } from '../trend/report.ts';
import { type HistoryView, newHistoryView } from './history-view.ts';
import { newPalette, type Palette } from './palette.ts';

type Screen = 'typing' | 'results' | 'options' | 'history' | 'help' | 'resume' | 'palette';

/** A finished round with everything that is known of it so far. */
export interface RoundOutcome {
  readonly round: LocalRound;
  readonly score: RoundScore;
  /** Bests and averages as they were before this round; undefined when the server never sent them. */
  readonly before: HistoricalStatistics | undefined;
  /** What the server says; undefined until it has everything. */
  readonly statistics: SessionStatistics | undefined;
  readonly history: HistoricalStatistics | undefined;
  /** Why the server could not write the round to its disk; empty when it could. */
  readonly unsaved: string;
  /** Monotonic ms of the last key: what is typed a moment later was still meant for the round. */
  readonly finishedAt: number;
  /** Monotonic ms of the latest key that was typed on after that; `finishedAt` where there was none. */
  readonly typedOnAt: number;
}

/** A round that an earlier client left in the middle. */
export interface LeftRound {
  readonly unsent: UnsentRound;
  readonly round: LocalRound;
}

/** Everything that is on the screen. Immutable; the same object as before when nothing has changed. */
export interface App {
  readonly screen: Screen;
  /** What there is to draw on. */
  readonly size: Size;
  /** What options, history and help lie over. */
  readonly below: 'typing' | 'results';
  /** Undefined while the words are awaited. */
  readonly round: LocalRound | undefined;
  readonly outcome: RoundOutcome | undefined;
  /** The latest statistics over all rounds of the kind. */
  readonly history: HistoricalStatistics | undefined;
  readonly delivery: DeliveryStatus;
  /** Why there are no words yet; empty while nothing is wrong. */
  readonly waiting: string;
  /** What a second press of the same key would do to the round under way. */
  readonly asks: 'leave' | 'restart' | undefined;
  /** One sentence about the last thing that happened; the next key takes it away. */
  readonly notice: string;
  /** What to say when the first words have come; empty when there is nothing to say. */
  readonly greeting: string;
  /** The command line that lists rounds that no server has yet. */
  readonly waitingCommand: string;
  /** The profile that is played with; empty for the usual one. */
  readonly profile: string;
  readonly options: Options;
  /** The option under the cursor. */
  readonly optionRow: number;
  readonly measure: KeyMeasure;
  /** First row shown of a text longer than the screen. */
  readonly scroll: number;
  /** What the client's own record tells; undefined until it is read. */
  readonly report: ProgressReport | undefined;
  readonly historyView: HistoryView;
  readonly leftRound: LeftRound | undefined;
  /** Active ms of a timed round, as of the latest tick of its clock. */
  readonly elapsed: number;
  /** A text of the typist's own, in place of the mode of the options. */
  readonly ownText: OwnText | undefined;
  /** The file of a text that was asked for on the screen. */
  readonly wantedText: string;
  /** How far the goal of the day is reached; undefined without one, and until it is known. */
  readonly goal: DailyGoal | undefined;
  /** The moments of the last round of the current kind (see `Pacer`), none where there is none; undefined until they are read. */
  readonly lastMoments: readonly number[] | undefined;
  /** The words to practise in place of everything else until the next results are left; empty: none. */
  readonly missed: string;
  readonly palette: Palette;
  /** What the server offers; undefined until it was asked. */
  readonly catalog: Catalog | undefined;
  /** Whether nobody could say what there is when that was last asked. */
  readonly isCatalogMissing: boolean;
  /** Whether keys are timed by a thread of their own. */
  readonly isOffThread: boolean;
}

const freshDelivery: DeliveryStatus = { confirmed: 0, total: 0, away: '', lost: '' };

export function newApp(options: Options): App {
  return {
    screen: 'typing',
    size: { columns: 80, rows: 24 },
    below: 'typing',
    round: undefined,
    outcome: undefined,
    history: undefined,
    delivery: freshDelivery,
    waiting: '',
    asks: undefined,
    notice: '',
    greeting: '',
    waitingCommand: 'typebadge play --waiting',
    profile: '',
    options,
    optionRow: 0,
    measure: 'accuracy',
    scroll: 0,
    report: undefined,
    historyView: newHistoryView,
    leftRound: undefined,
    elapsed: 0,
    ownText: undefined,
    wantedText: '',
    goal: undefined,
    lastMoments: undefined,
    missed: '',
    palette: newPalette,
    catalog: undefined,
    isCatalogMissing: false,
    isOffThread: true,
  };
}

/** A new round has begun. */
export function beginRound(app: App, words: readonly string[], rules?: Rules, practised?: Practised): App {
  return { ...takeRound(app, newLocalRound(words, rules, practised)), notice: app.greeting, greeting: '' };
}

/** A round to type: new, or one left earlier. */
export function takeRound(app: App, round: LocalRound): App {
  return {
    ...app,
    screen: app.screen === 'resume' || app.screen === 'results' ? 'typing' : app.screen,
    below: 'typing',
    round,
    outcome: undefined,
    delivery: freshDelivery,
    waiting: '',
    asks: undefined,
    notice: '',
    leftRound: undefined,
    elapsed: round.active,
  };
}

/** The last word is done: the results, as far as they are known without the server. */
export function finishRound(app: App, round: LocalRound, time: number): App {
  const outcome: RoundOutcome = {
    round,
    score: toScore(round),
    before: app.history,
    statistics: undefined,
    history: undefined,
    unsaved: '',
    finishedAt: time,
    typedOnAt: time,
  };
  return {
    ...app,
    screen: 'results',
    below: 'results',
    round,
    outcome,
    asks: undefined,
    notice: '',
    scroll: 0,
  };
}

/** Whether a round waits for a server because the typist wants none now: nothing is wrong with any. */
export function isOfflineByChoice({ delivery }: App): boolean {
  return delivery.away === serverNotWanted;
}

/** The server has the whole round. */
export function takeReceipt(app: App, round: LocalRound, { statistics, history, unsaved }: Receipt): App {
  const withHistory = { ...app, history };
  if (app.outcome?.round !== round) return withHistory;
  return { ...withHistory, outcome: { ...app.outcome, statistics, history, unsaved } };
}

/** What the next round is to practise. */
export function toSetup(app: App): SessionSetup {
  const { options } = app;
  const { punctuation, strict, stopOn, backspace, mode, layout } = options;
  const { suddenDeath, minWpm, minAccuracy } = options;
  return {
    punctuation,
    isStrict: strict,
    stopOn,
    backspace,
    limits: { suddenDeath, minWpm, minAccuracy },
    mode: toMode(app, mode),
    language: toLanguage(app),
    layout,
    ownLayout: toChosenOwnLayout(options),
  };
}

function toMode({ missed, ownText }: App, chosen: Options['mode']): ModeRequest {
  if (missed !== '') return { type: 'drill', on: 'words', text: missed };
  return ownText === undefined ? chosen : { type: 'text', text: ownText.text, title: ownText.title };
}

/** A text is in a language of its own; code is the same in all of them, so that its rounds can be compared. */
function toLanguage({ ownText, options: { mode, language } }: App): string {
  if (ownText !== undefined) return ownText.language ?? language;
  return mode.type === 'code' ? usualPractised.language : language;
}

/** What the typist races; undefined where that is nothing, or not known yet. */
export function toPacer({ options: { pace }, history, lastMoments }: App): Pacer | undefined {
  if (pace === 'off') return undefined;
  if (pace === 'last') return lastMoments?.length ? { type: 'round', moments: lastMoments } : undefined;
  const known = { average: history?.average_standard_wpm, best: history?.best_standard_wpm };
  const wpm = typeof pace === 'number' ? pace : (known[pace] ?? 0);
  return wpm > 0 ? { type: 'speed', wpm } : undefined;
}

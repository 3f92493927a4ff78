import type { HistoricalStatistics, SessionStatistics } from '../../server/wire-types.ts';
import type { HeatMeasure } from '../drawing/heat-map.ts';
import { newRun, type Run } from '../game/run.ts';
import { type Score, toScore } from '../game/scoring.ts';
import type { DeliveryStatus, Receipt } from '../link/delivery.ts';
import type { Options } from '../record/options.ts';
import type { Size } from '../screen/size.ts';
import type { Report } from '../trend/report.ts';

type Screen = 'typing' | 'results' | 'options' | 'history' | 'help' | 'resume';

/** A finished run with everything that is known of it so far. */
export interface Outcome {
  readonly run: Run;
  readonly score: Score;
  /** Bests and averages as they were before this run; undefined when the server never told them. */
  readonly before: HistoricalStatistics | undefined;
  /** What the server says; undefined until it has everything. */
  readonly statistics: SessionStatistics | undefined;
  readonly history: HistoricalStatistics | undefined;
  /** Why the server could not write the round to its disk; empty when it could. */
  readonly unsaved: string;
  /** Monotonic ms of the last key: what is typed a moment later was still meant for the round. */
  readonly finishedAt: number;
}

/** A run that an earlier client left in the middle. */
export interface LeftRun {
  readonly run: Run;
  readonly created: number;
}

/** Everything that is on the screen. Immutable; the same object as before when nothing has changed. */
export interface App {
  readonly screen: Screen;
  /** What there is to draw on. */
  readonly size: Size;
  /** What options, history and help lie over. */
  readonly below: 'typing' | 'results';
  /** Undefined while the words are awaited. */
  readonly run: Run | undefined;
  readonly outcome: Outcome | undefined;
  /** The latest statistics over all rounds. */
  readonly history: HistoricalStatistics | undefined;
  readonly delivery: DeliveryStatus;
  /** Why there are no words yet; empty while nothing is wrong. */
  readonly waiting: string;
  /** Whether Esc was pressed once in a run. */
  readonly isLeaving: boolean;
  /** One sentence about the last thing that happened; the next key takes it away. */
  readonly notice: string;
  readonly options: Options;
  /** The option under the cursor. */
  readonly optionRow: number;
  readonly measure: HeatMeasure;
  /** First row shown of a text longer than the screen. */
  readonly scroll: number;
  /** What the client's own record tells; undefined until it is read. */
  readonly report: Report | undefined;
  readonly leftRun: LeftRun | undefined;
  /** Whether keys are timed by a thread of their own. */
  readonly isOffThread: boolean;
}

const freshDelivery: DeliveryStatus = { confirmed: 0, total: 0, away: '', lost: '' };

export function newApp(options: Options): App {
  return {
    screen: 'typing',
    size: { columns: 80, rows: 24 },
    below: 'typing',
    run: undefined,
    outcome: undefined,
    history: undefined,
    delivery: freshDelivery,
    waiting: '',
    isLeaving: false,
    notice: '',
    options,
    optionRow: 0,
    measure: 'accuracy',
    scroll: 0,
    report: undefined,
    leftRun: undefined,
    isOffThread: true,
  };
}

/** A new round has begun. */
export function beginRun(app: App, words: readonly string[], notice = ''): App {
  return { ...takeRun(app, newRun(words)), notice };
}

/** A round to type: new, or one left earlier. */
export function takeRun(app: App, run: Run): App {
  return {
    ...app,
    screen: app.screen === 'resume' || app.screen === 'results' ? 'typing' : app.screen,
    below: 'typing',
    run,
    outcome: undefined,
    delivery: freshDelivery,
    waiting: '',
    isLeaving: false,
    notice: '',
    leftRun: undefined,
  };
}

/** The last word is done: the results, as far as they are known without the server. */
export function finishRun(app: App, run: Run, time: number): App {
  const outcome: Outcome = {
    run,
    score: toScore(run),
    before: app.history,
    statistics: undefined,
    history: undefined,
    unsaved: '',
    finishedAt: time,
  };
  return {
    ...app,
    screen: 'results',
    below: 'results',
    run,
    outcome,
    isLeaving: false,
    notice: '',
    scroll: 0,
  };
}

/** The server has the whole run. */
export function takeReceipt(app: App, run: Run, { statistics, history, unsaved }: Receipt): App {
  const withHistory = { ...app, history };
  if (app.outcome?.run !== run) return withHistory;
  return { ...withHistory, outcome: { ...app.outcome, statistics, history, unsaved } };
}

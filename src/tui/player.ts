import { pressKey } from './app/app-keys.ts';
import { type App, beginRun, newApp, takeReceipt, takeRun } from './app/app-state.ts';
import type { Order } from './app/reaction.ts';
import { toCountText } from './drawing/figures.ts';
import { isComplete, type Run, restoreRun } from './game/run.ts';
import { reduceRun } from './game/run-actions.ts';
import type { Score } from './game/scoring.ts';
import type { StampedKey } from './input/key.ts';
import type { DeliveryStatus } from './link/delivery.ts';
import type { Folders } from './record/folders.ts';
import type { Options } from './record/options.ts';
import { appendRunRecords, type RunRecord, readRunHistory } from './record/run-history.ts';
import { removeUnsent, type UnsentRun } from './record/run-journal.ts';
import { toRunRecord } from './record/run-record.ts';
import type { Rounds, RoundsListener } from './rounds.ts';
import type { Size } from './screen/size.ts';
import type { UnsentFindings } from './unsent-runs.ts';

/** How a typist or the system ends the client. */
export interface Ending {
  /** Whether a run under way is kept for a later start. */
  readonly keepUnfinished: boolean;
}

export interface PlayerOptions {
  readonly options: Options;
  readonly saveOptions: (now: Options) => Promise<void>;
  readonly folders: Folders;
  readonly punctuation: boolean;
  readonly draw: (app: App) => void;
  readonly repaint: () => void;
  readonly bell: () => void;
  readonly suspend: () => void;
  readonly end: (ending: Ending) => void;
}

/** True until the server has the round. */
const crashNotice = 'A crash would lose this round:';

function isCrashNotice({ notice }: App): boolean {
  return notice.startsWith(crashNotice);
}

/** Holds the state of the app, lets keys and the server change it, and carries out what they ask for. */
export interface Player {
  /** What the rounds tell. */
  readonly listener: RoundsListener;
  /** Begins: with a run that was cut off earlier if there is one, else with a new round. */
  start(rounds: Rounds, findings: UnsentFindings): void;
  /** What there is to draw on from now on. */
  resize(size: Size): void;
  press(keys: readonly StampedKey[]): void;
  noteStall(stall: number): void;
  /** The clock of a run stands from `time` (monotonic ms) on. */
  pause(time: number): void;
  /** Writes down all that was typed so far: the process may never go on after this. */
  keep(): void;
  setOffThread(isOffThread: boolean): void;
  /** The scores of the rounds finished so far. */
  readonly scores: readonly Score[];
}

export function createPlayer(options: PlayerOptions): Player {
  const { folders } = options;
  const scores: Score[] = [];
  /** Records that found no room on the disk: there may be some after the next round. */
  const unwritten: RunRecord[] = [];
  let app = newApp(options.options);
  let rounds: Rounds | undefined;
  let left: UnsentRun | undefined;
  let finished: Run | undefined;
  let greeting = '';
  let isDrawingDue = false;

  return {
    listener: {
      onWords(words) {
        change(beginRun(app, words, greeting));
        greeting = '';
      },
      onWaiting: (reason) => change({ ...app, waiting: reason }),
      onDelivery,
      onReceipt: (run, receipt) =>
        change(takeReceipt(isCrashNotice(app) ? { ...app, notice: '' } : app, run, receipt)),
      onHistory: (history) => change({ ...app, history }),
      onJournalProblem: (reason) => notify(`${crashNotice} ${reason}.`),
    },
    start,
    resize: (size) => change({ ...app, size }),
    press,
    noteStall: (duration) => changeRun({ type: 'stall', duration }),
    pause: (time) => changeRun({ type: 'pause', time }),
    keep,
    setOffThread: (isOffThread) => change({ ...app, isOffThread }),
    scores,
  };

  /** One drawing for everything that happens at once. */
  function change(next: App): void {
    if (next === app) return;
    app = next;
    if (isDrawingDue) return;
    isDrawingDue = true;
    setImmediate(drawNow);
  }

  function drawNow(): void {
    isDrawingDue = false;
    options.draw(app);
    keep(); // the eye first, then the disk and the server
  }

  /** A complete run has been handed over whole. */
  function keep(): void {
    if (app.run !== undefined && !isComplete(app.run)) rounds?.offer(app.run);
  }

  /** Every key is confirmed by the server; only trouble is worth a drawing. */
  function onDelivery(delivery: DeliveryStatus): void {
    const isQuiet = delivery.away === '' && delivery.lost === '';
    const wasQuiet = app.delivery.away === '' && app.delivery.lost === '';
    if (!isQuiet || !wasQuiet) change({ ...app, delivery });
  }

  function changeRun(action: Parameters<typeof reduceRun>[1]): void {
    if (app.run === undefined) return;
    const run = reduceRun(app.run, action);
    if (run !== app.run) change({ ...app, run });
  }

  function notify(notice: string): void {
    change({ ...app, notice });
  }

  function start(given: Rounds, findings: UnsentFindings): void {
    rounds = given;
    left = findings.left;
    const { delivered } = findings;
    if (delivered > 0) greeting = `${toCountText(delivered, 'earlier round')} delivered to the server now.`;
    if (left === undefined) void rounds.begin();
    else {
      const run = restoreRun(left.head.words, left.inputs);
      change({ ...app, screen: 'resume', leftRun: { run, created: left.head.created } });
    }
  }

  function press(keys: readonly StampedKey[]): void {
    for (const key of keys) {
      const { app: next, orders } = pressKey(app, key);
      change(next);
      if (app.outcome !== undefined && app.outcome.run !== finished) complete(app.outcome.run);
      for (const order of orders) carryOut(order);
    }
  }

  function complete(run: Run): void {
    finished = run;
    drawNow(); // the results first: writing to the disk may take a moment
    void rounds?.finish(run);
    const record = toRunRecord(run, options.punctuation);
    scores.push(record);
    unwritten.push(record);
    try {
      appendRunRecords(folders.data, unwritten);
      unwritten.length = 0;
    } catch (error) {
      notify(`Your own record could not be written: ${(error as Error).message}.`);
    }
  }

  function carryOut(order: Order): void {
    switch (order) {
      case 'new-round':
        void rounds?.begin();
        break;
      case 'take-left-run':
        takeLeftRun();
        break;
      case 'drop-left-run':
        if (left !== undefined) removeUnsent(left);
        left = undefined;
        break;
      case 'leave':
        options.end({ keepUnfinished: false });
        break;
      case 'break-off':
        options.end({ keepUnfinished: true });
        break;
      case 'suspend':
        options.suspend();
        break;
      case 'redraw':
        options.repaint();
        break;
      case 'bell':
        options.bell();
        break;
      case 'save-options':
        options
          .saveOptions(app.options)
          .catch((error: Error) => notify(`The options could not be saved: ${error.message}.`));
        break;
      case 'load-report':
        void loadReport();
    }
  }

  function takeLeftRun(): void {
    if (left === undefined || app.leftRun === undefined) return;
    change(takeRun(app, app.leftRun.run));
    rounds?.takeUp(left); // last, for what goes wrong is told on the screen of the round
    left = undefined;
  }

  /** The time zone's rules take a moment to load, so they are loaded when somebody looks at the history. */
  async function loadReport(): Promise<void> {
    try {
      const { readTimeZone, toReport } = await import('./trend/report.ts');
      change({ ...app, report: toReport(await readRunHistory(folders.data), readTimeZone()) });
    } catch (error) {
      notify(`Your own record could not be read: ${(error as Error).message}.`);
    }
  }
}

import { qwerty } from '../typing/letters/layout.ts';
import { type AppEvent, reduceApp } from './app/app-events.ts';
import type { Effect } from './app/reaction.ts';
import { readClock } from './input/stall-watch.ts';
import type { Folders } from './record/folders.ts';
import { readLastRound, saveLastRound } from './record/last-round.ts';
import { type Options, type OwnText, toChosenOwnLayout } from './record/options.ts';
import { readRoundHistory } from './record/round-history.ts';
import { toRoundRecord } from './record/round-record.ts';
import { createRoundRecorder } from './record/round-recorder.ts';
import type { UnsentFindings } from './record/unsent-findings.ts';
import { removeUnsent } from './record/unsent-journal.ts';
import { createRecordOfDays } from './record-of-days.ts';
import { toMoments } from './round/pacer.ts';
import { isComplete, type LocalRound } from './round/round.ts';
import { type RoundScore, toScore } from './round/scoring.ts';
import { toNextTick } from './round/time-limit.ts';
import type { RoundBroker } from './round-broker.ts';
import { type App, newApp, toPacer, toSetup } from './state/app-state.ts';
import { toSentence } from './text/figures.ts';

/** How a typist or the system ends the client. */
export interface Ending {
  /** Whether a round under way is kept for a later start. */
  readonly keepUnfinished: boolean;
}

export interface PlayerOptions {
  readonly options: Options;
  readonly saveOptions: (now: Options) => Promise<void>;
  readonly folders: Folders;
  /** One sentence to begin with; empty for none. */
  readonly greeting: string;
  /** A text of the typist's own to begin with. */
  readonly ownText: OwnText | undefined;
  /** Reads another one from a file; rejects with one sentence. */
  readonly readText: (file: string) => Promise<OwnText>;
  readonly draw: (app: App) => void;
  readonly repaint: () => void;
  readonly bell: () => void;
  readonly suspend: () => void;
  readonly end: (ending: Ending) => void;
}

/** Holds the state of the app, passes events to it, and carries out the effects they ask for. */
export interface Player {
  dispatch(event: AppEvent): void;
  /** Begins: with a round that was cut off earlier if there is one, else with a new one. */
  start(rounds: RoundBroker, findings: UnsentFindings): void;
  /** Writes down all that was typed so far: the process may never go on after this. */
  keep(): void;
  /** The scores of the rounds finished so far. */
  readonly scores: readonly RoundScore[];
}

export function createPlayer(options: PlayerOptions): Player {
  const { folders } = options;
  const scores: RoundScore[] = [];
  const days = createRecordOfDays(folders.data);
  const recorder = createRoundRecorder(folders.data);
  let app: App = {
    ...newApp(options.options),
    ownText: options.ownText,
    greeting: options.greeting,
  };
  let rounds: RoundBroker | undefined;
  let isDrawingDue = false;
  let clock: NodeJS.Timeout | undefined;

  const effects: Readonly<Record<Effect, () => void>> = {
    'new-round': () => void rounds?.begin(toSetup(app)),
    'finish-round': finishRound,
    'take-left-round': takeLeftRound,
    'drop-left-round': dropLeftRound,
    leave: () => options.end({ keepUnfinished: false }),
    'break-off': () => options.end({ keepUnfinished: true }),
    suspend: options.suspend,
    redraw: options.repaint,
    bell: options.bell,
    'save-options': saveOptions,
    'load-report': () => void loadReport(),
    'load-catalog': () => void loadCatalog(),
    'open-text': () => void openText(),
  };

  return {
    dispatch,
    start(given, findings) {
      rounds = given;
      dispatch({ type: 'start', ...findings });
      void loadGoal();
      loadLayout();
    },
    keep,
    scores,
  };

  /** One drawing for everything that happens at once. */
  function dispatch(event: AppEvent): void {
    const reaction = reduceApp(app, event);
    if (reaction.app !== app && !isDrawingDue) {
      isDrawingDue = true;
      setImmediate(drawNow);
    }
    app = reaction.app;
    for (const effect of reaction.effects) effects[effect]();
    if (event.type !== 'tick') setClock();
    if (event.type === 'words') void loadLastRound();
  }

  /** The clock of a timed round; every event may start, pause or stop it. */
  function setClock(): void {
    clearTimeout(clock);
    const hasPacer = app.options.pace !== 'off' && !app.options.reducedMotion && toPacer(app) !== undefined;
    const wait = app.round === undefined ? undefined : toNextTick(app.round, readClock(), hasPacer);
    if (wait === undefined) return;
    clock = setTimeout(() => {
      dispatch({ type: 'tick', time: readClock() });
      setClock();
    }, Math.ceil(wait));
  }

  function drawNow(): void {
    isDrawingDue = false;
    options.draw(app);
    keep(); // the eye first, then the disk and the server
  }

  /** A complete round has been handed over whole. */
  function keep(): void {
    if (app.round !== undefined && !isComplete(app.round)) rounds?.offer(app.round);
  }

  function notify(notice: string): void {
    dispatch({ type: 'notice', notice });
  }

  function finishRound(): void {
    const round = app.outcome?.round;
    if (round === undefined) return;
    drawNow(); // the results first: writing to the disk may take a moment
    if (round.ended === undefined) rounds?.finish(round);
    else rounds?.offer(round);
    scores.push(toScore(round));
    const isRecorded = record(round);
    if (round.ended !== undefined) rounds?.endEarly(isRecorded);
    keepRun(round);
    void loadGoal();
    if (round.ended === undefined && round.practised.mode.type === 'text') void goOnInText();
  }

  /** Nothing is lost without it: the next round has nobody to race. */
  function keepRun(round: LocalRound): void {
    const isWorthy = round.ended === undefined && toScore(round).verdict === null;
    if (isWorthy) saveLastRound(folders.data, round.practised, toMoments(round)).catch(() => {});
  }

  async function loadLastRound(): Promise<void> {
    const { options, round } = app;
    if (options.pace !== 'last' || round === undefined) return;
    dispatch({ type: 'last-round', moments: await readLastRound(folders.data, round.practised) });
  }

  function record(round: LocalRound): boolean {
    try {
      const line = toRoundRecord(round, app.options.punctuation);
      recorder.add(line);
      days.add(line);
      return true;
    } catch (error) {
      notify(`Your own record could not be written: ${(error as Error).message}.`);
      return false;
    }
  }

  async function openText(): Promise<void> {
    try {
      dispatch({ type: 'own-text', ownText: await options.readText(app.wantedText) });
    } catch (error) {
      notify(toSentence((error as Error).message));
    }
  }

  /** The next round is the next part of a long text. */
  async function goOnInText(): Promise<void> {
    const before = app.ownText;
    if (before?.next === undefined) return;
    try {
      dispatch({ type: 'next-text', before, ownText: await before.next() });
    } catch (error) {
      notify(`Your place in the text could not be kept: ${(error as Error).message}.`);
    }
  }

  function takeLeftRound(): void {
    const left = app.leftRound;
    if (left === undefined) return;
    dispatch({ type: 'left-round-taken' });
    rounds?.takeUp(left.unsent); // last, for what goes wrong is told on the screen of the round
  }

  function dropLeftRound(): void {
    if (app.leftRound !== undefined) removeUnsent(app.leftRound.unsent);
  }

  /** A keyboard other than the usual one is drawn as the server describes it. */
  function loadLayout(): void {
    const { keyboard, layout } = app.options;
    const isKnown = layout === qwerty.id || toChosenOwnLayout(app.options) !== undefined;
    if (keyboard && !isKnown && app.catalog === undefined) void loadCatalog();
  }

  /** Without it nothing is shown: it is no reason to disturb anybody. */
  async function loadGoal(): Promise<void> {
    const { goal: minutes } = app.options;
    const goal = minutes === 0 ? undefined : await days.toGoal(minutes).catch(() => undefined);
    if (goal !== undefined || app.goal !== undefined) dispatch({ type: 'goal', goal });
  }

  function saveOptions(): void {
    void loadGoal();
    loadLayout();
    options
      .saveOptions(app.options)
      .catch((error: Error) => notify(`The options could not be saved: ${error.message}.`));
  }

  /** Without it the palette has everything but languages and layouts. */
  async function loadCatalog(): Promise<void> {
    const catalog = await rounds?.readCatalog().catch(() => undefined);
    if (catalog !== undefined) dispatch({ type: 'catalog', catalog });
  }

  /** The time zone's rules take a moment to load, so they are loaded when somebody looks at the history. */
  async function loadReport(): Promise<void> {
    try {
      const { readTimeZone, toAllKinds, toReport } = await import('./trend/report.ts');
      const history = await readRoundHistory(folders.data);
      const kinds = toAllKinds(history);
      const { mode, language, layout, source } = kinds[app.historyView.kind] ?? {};
      const report = toReport(history, readTimeZone(), { mode, language, layout, source });
      dispatch({ type: 'report', report, kinds });
    } catch (error) {
      notify((error as Error).message);
    }
  }
}

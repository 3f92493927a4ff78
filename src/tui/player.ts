import { type AppEvent, reduceApp } from './app/app-events.ts';
import type { FinishedScore, PlayerContext, PlayerOptions } from './player-context.ts';
import { effects, loadGoal, loadLastRound, loadLayout } from './player-effects.ts';
import { createRoundRecorder } from './record/round-recorder.ts';
import type { UnsentFindings } from './record/unsent-findings.ts';
import { createRecordOfDays } from './record-of-days.ts';
import { isComplete } from './round/round.ts';
import type { RoundBroker } from './round-broker.ts';
import { createRoundClock } from './round-clock.ts';
import { type App, newApp } from './state/app-state.ts';

/** Holds the state of the app, passes events to it, and has the effects carried out that they ask for. */
export interface Player {
  dispatch(event: AppEvent): void;
  /** Begins: with a round that was cut off earlier if there is one, else with a new one. */
  start(rounds: RoundBroker, findings: UnsentFindings): void;
  /** Writes down all that was typed so far: the process may never go on after this. */
  keep(): void;
  /** From now on nothing happens by time alone. */
  close(): void;
  /** The scores of the rounds finished so far. */
  readonly scores: readonly FinishedScore[];
  /** The state as it is now. */
  readonly app: App;
}

export function createPlayer(options: PlayerOptions): Player {
  const { ownText, greeting, waitingCommand, profile, folders } = options;
  let app = { ...newApp(options.options), ownText, greeting, waitingCommand, profile };
  let rounds: RoundBroker | undefined;
  const drawing = createDrawingTurn(() => {
    options.draw(app);
    keep(); // the eye first, then the disk and the server
  });
  const clock = createRoundClock((time) => dispatch({ type: 'tick', time }));
  const context: PlayerContext = {
    ...options,
    get app() {
      return app;
    },
    get rounds() {
      return rounds;
    },
    recorder: createRoundRecorder(folders.data),
    days: createRecordOfDays(folders.data),
    scores: [],
    dispatch,
    drawNow: drawing.now,
  };

  return {
    dispatch,
    start,
    keep,
    close: clock.stop,
    scores: context.scores,
    get app() {
      return app;
    },
  };

  function start(given: RoundBroker, findings: UnsentFindings): void {
    rounds = given;
    dispatch({ type: 'start', ...findings });
    void loadGoal(context);
    loadLayout(context);
  }

  function dispatch(event: AppEvent): void {
    const reaction = reduceApp(app, event);
    if (reaction.app !== app) drawing.ask();
    app = reaction.app;
    for (const effect of reaction.effects) effects[effect](context);
    clock.set(app);
    if (event.type === 'words') void loadLastRound(context);
  }

  /** A complete round has been handed over whole. */
  function keep(): void {
    if (app.round !== undefined && !isComplete(app.round)) rounds?.offer(app.round);
  }
}

/** One drawing for everything that happens at once: `ask` draws at the end of this turn of the event loop, `now` before. */
function createDrawingTurn(draw: () => void): { ask(): void; now(): void } {
  let isDue = false;
  return {
    ask() {
      if (!isDue) setImmediate(now);
      isDue = true;
    },
    now,
  };

  function now(): void {
    isDue = false;
    draw();
  }
}

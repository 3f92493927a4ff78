import { type App, finishRun } from './app-state.ts';
import { isComplete, isUnderWay, type Run } from './game/run.ts';
import { type Press, type RunAction, reduceRun } from './game/run-actions.ts';
import type { KeyName, TimedKey } from './input/key.ts';
import { optionRows, turnOption } from './option-rows.ts';
import { toLongestScroll } from './views/reading.ts';

/** What a key asks of the world outside the screen. */
export type Order =
  | 'new-round'
  | 'take-left-run'
  | 'drop-left-run'
  | 'leave' // a run under way is given up
  | 'break-off' // a run under way can go on later
  | 'suspend'
  | 'redraw'
  | 'save-options'
  | 'load-report'
  | 'bell';

/** A key and its moment in Unix ms. */
export interface AppKey extends TimedKey {
  readonly unix: number;
}

export interface Reaction {
  readonly app: App;
  readonly orders: readonly Order[];
}

/** Keys pressed so soon after the last word were still meant for the round. */
const settlingTime = 400;

/** What a key does: the next state, and what is to be done outside. Pure. */
export function pressKey(app: App, key: AppKey): Reaction {
  const anywhere = pressAnywhere(app, key);
  if (anywhere !== undefined) return anywhere;
  switch (app.screen) {
    case 'typing':
      return pressTyping(app, key);
    case 'results':
      return pressResults(app, key);
    case 'options':
      return pressOptions(app, key);
    case 'resume':
      return pressResume(app, key);
    default:
      return pressReading(app, key);
  }
}

function only(app: App, ...orders: Order[]): Reaction {
  return { app, orders };
}

/** Keys that mean the same on every screen. */
function pressAnywhere(app: App, key: AppKey): Reaction | undefined {
  switch (key.name) {
    case 'ctrl-c':
      return only(app, 'break-off');
    case 'ctrl-z':
      return only(pauseRun(app, key.time), 'suspend');
    case 'ctrl-l':
      return only(app, 'redraw');
    case 'focus-out':
      return only(pauseRun(app, key.time));
    case 'focus-in':
      return only(app);
    case 'ctrl-o':
      return only(openScreen(app, 'options', key.time));
    case 'ctrl-y':
      return only(openScreen(app, 'history', key.time), 'load-report');
    case 'f1':
      return only(openScreen(app, 'help', key.time));
    default:
      return undefined;
  }
}

function pauseRun(app: App, time: number): App {
  return app.run === undefined ? app : withRun(app, reduceRun(app.run, { type: 'pause', time }));
}

function withRun(app: App, run: Run): App {
  return run === app.run ? app : { ...app, run };
}

/** The same key again closes the screen. */
function openScreen(app: App, screen: 'options' | 'history' | 'help', time: number): App {
  if (app.screen === 'resume') return app;
  if (app.screen === screen) return closeScreen(app);
  const below = app.screen === 'results' || app.screen === 'typing' ? app.screen : app.below;
  return { ...pauseRun(app, time), screen, below, scroll: 0, isLeaving: false };
}

function closeScreen(app: App): App {
  return { ...app, screen: app.below, scroll: 0 };
}

function pressTyping(app: App, key: AppKey): Reaction {
  if (key.name === 'tab') return only({ ...app, run: undefined, isLeaving: false, notice: '' }, 'new-round');
  if (key.name === 'escape') return pressEscape(app);
  if (app.run === undefined) return key.text === '?' ? only(openScreen(app, 'help', key.time)) : only(app);
  if (key.text === '?' && isHelpWanted(app.run)) return only(openScreen(app, 'help', key.time));
  const action = toAction(app, key);
  const calm = app.isLeaving || app.notice !== '' ? { ...app, isLeaving: false, notice: '' } : app;
  return action === undefined ? only(calm) : applyAction(calm, app.run, action, key.time);
}

/** In a round a question mark is a character like any other. */
function isHelpWanted(run: Run): boolean {
  return !isUnderWay(run) && run.words[0]?.[0] !== '?';
}

function pressEscape(app: App): Reaction {
  const wouldLose = app.run !== undefined && isUnderWay(app.run);
  return wouldLose && !app.isLeaving ? only({ ...app, isLeaving: true }) : only(app, 'leave');
}

function toAction(app: App, key: AppKey): RunAction | undefined {
  const press: Press = {
    time: key.time,
    unix: key.unix,
    measured: key.measured,
    repeat: key.repeat,
    together: key.together,
  };
  switch (key.name) {
    case 'character':
      return { type: 'character', char: key.text, ...press };
    case 'space':
    case 'enter':
      return isAdvanceKey(app, key.name) ? { type: 'advance', ...press } : undefined;
    case 'backspace':
    case 'delete-word':
      return { type: key.name, ...press };
    case 'paste':
      return { type: 'paste' };
    default:
      return undefined;
  }
}

function isAdvanceKey(app: App, name: 'space' | 'enter'): boolean {
  return app.options.advance === 'either' || app.options.advance === name;
}

function applyAction(app: App, run: Run, action: RunAction, time: number): Reaction {
  const next = reduceRun(run, action);
  if (next === run) return only(app);
  if (isComplete(next)) return only(finishRun(app, next, time));
  const noticed =
    action.type === 'paste' ? { ...app, notice: 'A paste does not count: only typing does.' } : app;
  const isWrong = next.total > run.total && next.correct === run.correct;
  return app.options.sounds && isWrong ? only(withRun(noticed, next), 'bell') : only(withRun(noticed, next));
}

function pressResults(app: App, key: AppKey): Reaction {
  const isEcho = key.time - (app.outcome?.finishedAt ?? 0) < settlingTime;
  if (key.name === 'escape') return only(app, 'leave');
  if (isEcho || key.repeat) return only(app);
  if (key.name === 'enter' || key.name === 'tab') {
    return only({ ...app, screen: 'typing', below: 'typing', run: undefined, scroll: 0 }, 'new-round');
  }
  if (key.text === '?') return only(openScreen(app, 'help', key.time));
  if (key.text === 'k') return only({ ...app, measure: app.measure === 'accuracy' ? 'speed' : 'accuracy' });
  return only(scroll(app, key.name));
}

function pressOptions(app: App, key: AppKey): Reaction {
  switch (key.name) {
    case 'escape':
    case 'enter':
      return only(closeScreen(app), 'save-options');
    case 'up':
    case 'down': {
      const step = key.name === 'up' ? -1 : 1;
      return only({ ...app, optionRow: (app.optionRow + step + optionRows.length) % optionRows.length });
    }
    case 'left':
    case 'right':
    case 'space': {
      const options = turnOption(app.options, app.optionRow, key.name === 'left' ? -1 : 1);
      return only({ ...app, options }, 'save-options');
    }
    default:
      return only(app);
  }
}

function pressReading(app: App, key: AppKey): Reaction {
  if (key.name === 'escape' || key.name === 'enter' || key.text === 'q') return only(closeScreen(app));
  return only(scroll(app, key.name));
}

function pressResume(app: App, key: AppKey): Reaction {
  if (key.name === 'enter') return only(app, 'take-left-run');
  if (key.name === 'tab')
    return only({ ...app, leftRun: undefined, screen: 'typing' }, 'drop-left-run', 'new-round');
  return key.name === 'escape' ? only(app, 'leave') : only(app);
}

const scrollSteps: Partial<Record<KeyName, number>> = {
  up: -1,
  down: 1,
  'page-up': -10,
  'page-down': 10,
  space: 10,
  home: Number.NEGATIVE_INFINITY,
};

function scroll(app: App, name: KeyName): App {
  const step = scrollSteps[name];
  if (step === undefined) return app;
  const to = Math.max(0, Math.min(app.scroll + step, toLongestScroll(app)));
  return to === app.scroll ? app : { ...app, scroll: to };
}

import { isComplete, isUnderWay, type Run } from '../game/run.ts';
import { type Press, type RunAction, reduceRun } from '../game/run-actions.ts';
import type { StampedKey } from '../input/key.ts';
import { type App, finishRun } from './app-state.ts';
import { openScreen, withRun } from './overlays.ts';
import { only, type Reaction } from './reaction.ts';

/** What a key does while a round is typed. */
export function pressTyping(app: App, key: StampedKey): Reaction {
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

function toAction(app: App, key: StampedKey): RunAction | undefined {
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

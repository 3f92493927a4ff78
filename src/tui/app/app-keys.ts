import type { KeyName, StampedKey } from '../input/key.ts';
import { toMissedText } from '../round/missed-words.ts';
import { isReadAsText } from '../round/practised.ts';
import type { App, RoundOutcome } from '../state/app-state.ts';
import { optionRows, turnOption } from '../state/option-rows.ts';
import { toLongestScroll } from '../text/reading.ts';
import { pressHistory } from './history-keys.ts';
import { closeScreen, openScreen, pauseRound, toNextRound } from './overlays.ts';
import { pressPalette } from './palette-keys.ts';
import { only, type Reaction } from './reaction.ts';
import { pressTyping } from './typing-keys.ts';

/** Keys pressed so soon after the last letter were meant for the round; where Enter may have been to end its last word, and after an end in its middle, later ones too, ms. */
const settlingTime = 400;
const settlingTimeOfSurprise = 1000;
/** Anyone who types on must have paused for this long, so that no letter of a word starts anything; but nobody is held up longer than the last of these, ms. */
const pauseAfterTypingOn = 700;
const longestSettling = 5000;

/** What a key does: the next state, and what is to be done outside. Pure. */
export function pressKey(app: App, key: StampedKey): Reaction {
  const anywhere = pressAnywhere(app, key);
  if (anywhere !== undefined) return anywhere;
  switch (app.screen) {
    case 'typing':
      return pressTyping(app, key);
    case 'results':
      return pressResults(app, key);
    case 'options':
      return pressOptions(app, key);
    case 'palette':
      return pressPalette(app, key);
    case 'resume':
      return pressResume(app, key);
    case 'history':
      return pressHistory(app, key) ?? pressReading(app, key);
    default:
      return pressReading(app, key);
  }
}

/** Keys that mean the same on every screen. */
function pressAnywhere(app: App, key: StampedKey): Reaction | undefined {
  switch (key.name) {
    case 'ctrl-c':
      return only(app, 'break-off');
    case 'ctrl-z':
      return only(pauseRound(app, key.time), 'suspend');
    case 'ctrl-l':
      return only(app, 'redraw');
    case 'focus-out':
      return only(pauseRound(app, key.time));
    case 'focus-in':
      return only(app);
    case 'ctrl-o':
      return only(openScreen(app, 'options', key.time));
    case 'ctrl-y':
      return only(openScreen(app, 'history', key.time), 'load-report');
    case 'ctrl-p': {
      const opened = openScreen(app, 'palette', key.time);
      return app.catalog === undefined
        ? only({ ...opened, isCatalogMissing: false }, 'load-catalog')
        : only(opened);
    }
    case 'f1':
      return only(openScreen(app, 'help', key.time));
    default:
      return undefined;
  }
}

function pressResults(app: App, key: StampedKey): Reaction {
  if (key.name === 'escape') return only(app, 'leave');
  if (app.outcome !== undefined && isEcho(app, app.outcome, key)) {
    return only(isTyped(key) ? { ...app, outcome: { ...app.outcome, typedOnAt: key.time } } : app);
  }
  if (key.repeat) return only(app);
  if (key.name === 'enter' || key.name === 'tab') {
    return only({ ...toNextRound(app), missed: '' }, 'new-round');
  }
  if (key.text === 'm') return practiseMissed(app);
  if (key.text === '?') return only(openScreen(app, 'help', key.time));
  if (key.text === 'k') return only({ ...app, measure: app.measure === 'accuracy' ? 'speed' : 'accuracy' });
  return only(scroll(app, key.name));
}

/** Whether a key on the results was still meant for the round. */
function isEcho(
  { options }: App,
  { round, finishedAt, typedOnAt }: RoundOutcome,
  { time }: StampedKey,
): boolean {
  const isEnterUsual = options.advance !== 'space' || isReadAsText(round.practised);
  const endsByItself = round.isOver || round.ended !== undefined || isEnterUsual;
  const settling = endsByItself ? settlingTimeOfSurprise : settlingTime;
  const sinceEnd = time - finishedAt;
  if (sinceEnd < settling) return true;
  return typedOnAt > finishedAt && time - typedOnAt < pauseAfterTypingOn && sinceEnd < longestSettling;
}

/** Keys that act on purpose, such as Enter, do not hold themselves up. */
function isTyped({ name }: StampedKey): boolean {
  return name === 'character' || name === 'space' || name === 'backspace' || name === 'delete-word';
}

function practiseMissed(app: App): Reaction {
  const missed = app.outcome === undefined ? '' : toMissedText(app.outcome.round);
  return missed === ''
    ? only({ ...app, notice: 'Nothing to practise: no word was missed or slow.' })
    : only({ ...toNextRound(app), missed, notice: '' }, 'new-round');
}

function pressOptions(before: App, key: StampedKey): Reaction {
  const app = before.notice === '' ? before : { ...before, notice: '' };
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

function pressReading(app: App, key: StampedKey): Reaction {
  if (key.name === 'escape' || key.name === 'enter' || key.text === 'q') return only(closeScreen(app));
  return only(scroll(app, key.name));
}

function pressResume(app: App, key: StampedKey): Reaction {
  if (key.name === 'enter') return only(app, 'take-left-round');
  if (key.name === 'tab') return only({ ...app, screen: 'typing' }, 'drop-left-round', 'new-round');
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

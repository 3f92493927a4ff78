import type { StampedKey } from '../input/key.ts';
import { isComplete, isUnderWay, type LocalRound } from '../round/round.ts';
import { type Press, type RoundAction, reduceLocalRound } from '../round/round-actions.ts';
import { endByTime, isTimeUp } from '../round/time-limit.ts';
import { type App, finishRound } from '../state/app-state.ts';
import { isAtWrap } from '../text/text-rows.ts';
import { openScreen, withRound } from './overlays.ts';
import { only, type Reaction } from './reaction.ts';

/** What a key does while a round is typed. */
export function pressTyping(app: App, key: StampedKey): Reaction {
  if (key.name === 'tab') return pressTab(app);
  if (key.name === 'escape') return pressEscape(app);
  if (app.round === undefined) return key.text === '?' ? only(openScreen(app, 'help', key.time)) : only(app);
  if (key.text === '?' && isHelpWanted(app.round)) return only(openScreen(app, 'help', key.time));
  if (isTimeUp(app.round, key.time)) {
    return only(finishRound(app, endByTime(app.round), key.time), 'finish-round');
  }
  const action = toAction(app, app.round, key);
  const calm = app.asks !== undefined || app.notice !== '' ? { ...app, asks: undefined, notice: '' } : app;
  return action === undefined ? only(calm) : applyAction(calm, app.round, action, key.time);
}

/** In a round a question mark is a character like any other. */
function isHelpWanted(round: LocalRound): boolean {
  return !isUnderWay(round) && round.words[0]?.[0] !== '?';
}

function pressEscape(app: App): Reaction {
  const wouldLose = app.round !== undefined && isUnderWay(app.round);
  return wouldLose && app.asks !== 'leave' ? only({ ...app, asks: 'leave' }) : only(app, 'leave');
}

/** From this word on a round is too long to be lost to a slip of the finger. */
const wordsWorthAsking = 5;

function pressTab(app: App): Reaction {
  const wouldLose = app.round !== undefined && app.round.wordIndex >= wordsWorthAsking;
  if (wouldLose && app.asks !== 'restart') return only({ ...app, asks: 'restart' });
  return only({ ...app, round: undefined, asks: undefined, notice: '' }, 'new-round');
}

function toAction(app: App, round: LocalRound, key: StampedKey): RoundAction | undefined {
  const press: Press = {
    time: key.time,
    unix: key.unix,
    measured: key.measured,
    repeat: key.repeat,
    together: key.together,
    rolled: key.rolled,
  };
  switch (key.name) {
    case 'character':
      return { type: 'character', char: key.text, ...press };
    case 'space':
    case 'enter':
      return isAdvanceKey(app, round, key.name) ? { type: 'advance', ...press } : undefined;
    case 'backspace':
    case 'delete-word':
      return { type: key.name, ...press };
    case 'paste':
      return { type: 'paste' };
    default:
      return undefined;
  }
}

/** The end of a line is left with Enter, too, as in an editor, and so is the end of a row that looks like one. */
function isAdvanceKey(app: App, round: LocalRound, name: 'space' | 'enter'): boolean {
  if (name === 'enter' && round.practised.lineEnds.includes(round.wordIndex)) return true;
  if (app.options.advance === 'either' || app.options.advance === name) return true;
  return name === 'enter' && isAtWrap(app, round);
}

function applyAction(app: App, round: LocalRound, action: RoundAction, time: number): Reaction {
  const next = reduceLocalRound(round, action);
  if (next === round) return only(app);
  if (isComplete(next)) return only(finishRound(app, next, time), 'finish-round');
  const notice = toNotice(round, next, action);
  const noticed = notice === '' ? app : { ...app, notice };
  const isWrong =
    next.score.totalKeys > round.score.totalKeys && next.score.correctKeys === round.score.correctKeys;
  return app.options.sounds && !app.options.blind && isWrong
    ? only(withRound(noticed, next), 'bell')
    : only(withRound(noticed, next));
}

/** Why a key did nothing, where that is not seen. */
function toNotice(round: LocalRound, next: LocalRound, { type }: RoundAction): string {
  if (type === 'paste') return 'Paste ignored: only typing counts.';
  const isHeld = type === 'advance' && next.typed.length === round.typed.length && next.left === round.left;
  return isHeld && round.rules.stopOn === 'word' ? 'Correct this word first.' : '';
}

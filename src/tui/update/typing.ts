import {
  endedByTime,
  isDone,
  isTimeUp,
  isUnderWay,
  type Press,
  type RoundAction,
  type RoundView,
  reduceRoundView,
} from '../round/round-view.ts';
import { type State, withResults } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { mustConfirm, openScreen, type Reaction, reaction, withoutRound, withRound } from './reaction.ts';

export function pressTyping(state: State, key: StampedKey): Reaction {
  if (key.name === 'tab') return pressTab(state);
  if (key.name === 'escape') return pressEscape(state);
  if (state.round === undefined)
    return key.text === '?' ? reaction(openScreen(state, 'help', key.time)) : reaction(state);
  if (key.text === '?' && isHelpWanted(state.round)) return reaction(openScreen(state, 'help', key.time));
  if (isTimeUp(state.round, key.time)) {
    return reaction(withResults(state, endedByTime(state.round), key.time), 'finish-round');
  }
  if (key.name === 'paste') return reaction({ ...state, notice: 'Paste ignored: only typing counts.' });
  const action = actionOf(state, state.round, key);
  const isQuiet = state.confirming === undefined && state.notice === '';
  const quiet = isQuiet ? state : { ...state, confirming: undefined, notice: '' };
  return action === undefined ? reaction(quiet) : applyAction(quiet, state.round, action, key.time);
}

/** In a round a question mark is a character like any other. */
function isHelpWanted(round: RoundView): boolean {
  return !isUnderWay(round) && round.words[0]?.[0] !== '?';
}

function pressEscape(state: State): Reaction {
  const wouldLose = state.round !== undefined && isUnderWay(state.round);
  return wouldLose && state.confirming !== 'leave'
    ? reaction({ ...state, confirming: 'leave' })
    : reaction(state, 'leave');
}

function pressTab(state: State): Reaction {
  if (mustConfirm(state) && state.confirming !== 'restart')
    return reaction({ ...state, confirming: 'restart' });
  const hasOther = state.missed === '' && state.customText?.other !== undefined;
  const restarted = { ...withoutRound(state), confirming: undefined, notice: '' };
  return reaction(restarted, hasOther ? 'other-text' : 'new-round');
}

function actionOf(state: State, round: RoundView, key: StampedKey): RoundAction | undefined {
  const { time, unix, measured } = key;
  const press: Press = { time, unix, measured };
  switch (key.name) {
    case 'character':
      return { type: 'character', char: key.text, ...press };
    case 'space':
    case 'enter':
      return isAdvanceKey(state, round, key.name) ? { type: 'advance', ...press } : undefined;
    case 'backspace':
    case 'delete-word':
      return { type: key.name, ...press };
    default:
      return undefined;
  }
}

/** The end of a line is left with Enter, too, as in an editor. */
function isAdvanceKey(state: State, round: RoundView, name: 'space' | 'enter'): boolean {
  if (name === 'enter' && round.roundSetup.lineEnds.includes(round.progress.wordIndex)) return true;
  return state.options.advance === 'either' || state.options.advance === name;
}

function applyAction(state: State, round: RoundView, action: RoundAction, time: number): Reaction {
  const next = reduceRoundView(round, action);
  if (next === round) return reaction(state);
  if (isDone(next)) return reaction(withResults(state, next, time), 'finish-round');
  // Explains why a key did nothing, if nothing else shows it.
  const isHeld =
    action.type === 'advance' &&
    round.practice.rules.stopOn === 'word' &&
    next.typedBefore === round.typedBefore &&
    next.typed.length === round.typed.length;
  const noticed = isHeld ? { ...state, notice: 'Correct this word first.' } : state;
  const isWrong =
    next.score.totalKeys > round.score.totalKeys && next.score.correctKeys === round.score.correctKeys;
  return state.options.sounds && !state.options.blind && isWrong
    ? reaction(withRound(noticed, next), 'bell')
    : reaction(withRound(noticed, next));
}

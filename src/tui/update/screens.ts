import { optionRows, steppedOption } from '../record/option-table.ts';
import { momentsOf } from '../round/pacer.ts';
import { finishedOf } from '../round/round-view.ts';
import { missedText } from '../round/scoring.ts';
import type { State } from '../state/state.ts';
import type { KeyName, StampedKey } from '../terminal/keys.ts';
import { pressScroll, withOtherMeasure } from './history.ts';
import { closeScreen, openScreen, type Reaction, reaction, withoutRound } from './reaction.ts';

/** After typing on past the end of a round, keys act again after this pause, ms. */
const pauseAfterTypingOn = 700;

export function pressResults(state: State, key: StampedKey): Reaction {
  const { outcome } = state;
  if (key.name === 'escape') return reaction(state, 'leave');
  if (outcome !== undefined && key.time < outcome.settlesAt) {
    const settlesAt = Math.max(outcome.settlesAt, key.time + pauseAfterTypingOn);
    return reaction(typingKeys.includes(key.name) ? { ...state, outcome: { ...outcome, settlesAt } } : state);
  }
  if (key.repeat) return reaction(state);
  if (key.name === 'enter' || key.name === 'tab') {
    return reaction({ ...withoutRound(state), missed: '' }, 'new-round');
  }
  if (key.text === 'm') return practiseMissed(state);
  if (key.text === 'r' && outcome !== undefined) {
    const again = { attempt: state.attempt + 1, pastMoments: momentsOf(finishedOf(outcome.round)) };
    return reaction({ ...state, ...again }, 'repeat-round');
  }
  if (key.text === '?') return reaction(openScreen(state, 'help', key.time));
  return key.text === 'k' ? reaction(withOtherMeasure(state)) : pressScroll(state, key);
}

/** Others, such as Enter, are pressed on purpose. */
const typingKeys: readonly KeyName[] = ['character', 'space', 'backspace', 'delete-word'];

function practiseMissed(state: State): Reaction {
  const missed = state.outcome === undefined ? '' : missedText(state.outcome.round);
  return missed === ''
    ? reaction({ ...state, notice: 'Nothing to practise: no word was missed.' })
    : reaction({ ...withoutRound(state), missed, notice: '' }, 'new-round');
}

export function pressOptions(before: State, key: StampedKey): Reaction {
  const state = before.notice === '' ? before : { ...before, notice: '' };
  switch (key.name) {
    case 'escape':
    case 'enter':
      return reaction(closeScreen(state), 'save-options');
    case 'up':
    case 'down': {
      const step = key.name === 'up' ? -1 : 1;
      const optionRow = (state.optionRow + step + optionRows.length) % optionRows.length;
      return reaction({ ...state, optionRow });
    }
    case 'left':
    case 'right':
    case 'space': {
      const options = steppedOption(state.options, state.optionRow, key.name === 'left' ? -1 : 1);
      return reaction({ ...state, options }, 'save-options');
    }
    default:
      return reaction(state);
  }
}

export function pressResume(state: State, key: StampedKey): Reaction {
  if (key.name === 'enter') return reaction(state, 'resume-round');
  if (key.name === 'tab')
    return reaction(
      { ...state, screen: 'typing', interruptedRound: undefined },
      'discard-interrupted-round',
      'new-round',
    );
  return key.name === 'escape' ? reaction(state, 'leave') : reaction(state);
}

import { optionRows, turnedOption } from '../record/option-table.ts';
import { momentsOf } from '../round/pacer.ts';
import { isReadAsText } from '../round/round-setup.ts';
import { finishedOf } from '../round/round-view.ts';
import { missedText } from '../round/scoring.ts';
import { maxScroll } from '../screens/reading-rows.ts';
import type { RoundOutcome, State } from '../state/state.ts';
import type { KeyName, StampedKey } from '../terminal/keys.ts';
import { closeScreen, openScreen, type Reaction, reaction, withoutRound } from './reaction.ts';

/**
 * Keys within this time after the last letter were meant for the round, ms; longer if its end is unexpected.
 */
const settlingTime = 400;
const settlingTimeIfUnexpected = 1000;
/** A typist who kept typing may act after this pause, and after `maxSettling` in any case, ms. */
const pauseAfterTypingOn = 700;
const maxSettling = 5000;

export function pressResults(state: State, key: StampedKey): Reaction {
  const { outcome } = state;
  if (key.name === 'escape') return reaction(state, 'leave');
  if (outcome !== undefined && isMeantForRound(state, outcome, key)) {
    return reaction(isTyped(key) ? { ...state, outcome: { ...outcome, typedOnAt: key.time } } : state);
  }
  if (key.repeat) return reaction(state);
  if (key.name === 'enter' || key.name === 'tab') {
    return reaction({ ...withoutRound(state), missed: '' }, 'new-round');
  }
  if (key.text === 'm') return practiseMissed(state);
  if (key.text === 'r' && outcome !== undefined) {
    const again = { attempt: state.attempt + 1, timeBefore: momentsOf(finishedOf(outcome.round)) };
    return reaction({ ...state, ...again }, 'repeat-round');
  }
  if (key.text === '?') return reaction(openScreen(state, 'help', key.time));
  if (key.text === 'k')
    return reaction({ ...state, measure: state.measure === 'accuracy' ? 'speed' : 'accuracy' });
  return reaction(scrolled(state, key.name));
}

/** Whether a key on the results was still meant for the round. */
function isMeantForRound(
  { options }: State,
  { round, finishedAt, typedOnAt }: RoundOutcome,
  { time }: StampedKey,
): boolean {
  const isEnterUsual = options.advance !== 'space' || isReadAsText(round.roundSetup);
  const isUnexpected = round.isOver || round.ended !== undefined || isEnterUsual;
  const sinceEnd = time - finishedAt;
  if (sinceEnd < (isUnexpected ? settlingTimeIfUnexpected : settlingTime)) return true;
  return typedOnAt > finishedAt && time - typedOnAt < pauseAfterTypingOn && sinceEnd < maxSettling;
}

/** Keys that type; others, such as Enter, are pressed on purpose. */
function isTyped({ name }: StampedKey): boolean {
  return name === 'character' || name === 'space' || name === 'backspace' || name === 'delete-word';
}

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
      const options = turnedOption(state.options, state.optionRow, key.name === 'left' ? -1 : 1);
      return reaction({ ...state, options }, 'save-options');
    }
    default:
      return reaction(state);
  }
}

/** Help, and history or results as sentences. */
export function pressReading(state: State, key: StampedKey): Reaction {
  if (key.name === 'escape' || key.name === 'enter' || key.text === 'q') return reaction(closeScreen(state));
  return reaction(scrolled(state, key.name));
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

const scrollSteps: Partial<Record<KeyName, number>> = {
  up: -1,
  down: 1,
  'page-up': -10,
  'page-down': 10,
  space: 10,
  home: Number.NEGATIVE_INFINITY,
};

function scrolled(state: State, name: KeyName): State {
  const step = scrollSteps[name];
  if (step === undefined) return state;
  const to = Math.max(0, Math.min(state.scroll + step, maxScroll(state)));
  return to === state.scroll ? state : { ...state, scroll: to };
}

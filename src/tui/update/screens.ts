import { optionRows, turnedOption } from '../record/option-table.ts';
import { missedText } from '../round/missed-words.ts';
import { momentsOf } from '../round/pacer.ts';
import { isReadAsText } from '../round/practised.ts';
import { finishedOf } from '../round/round-view.ts';
import { maxScroll } from '../screens/reading-rows.ts';
import type { RoundOutcome, State } from '../state/state.ts';
import type { KeyName } from '../terminal/key-parser.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { closeScreen, only, openScreen, type Reaction, withoutRound } from './reaction.ts';

/** Keys so soon after the last letter were meant for the round; after a surprise, later ones too, ms. */
const settlingTime = 400;
const settlingTimeOfSurprise = 1000;
/** Ms of a pause after which a typist who typed on may act, and after which everybody may. */
const pauseAfterTypingOn = 700;
const maxSettling = 5000;

export function pressResults(state: State, key: StampedKey): Reaction {
  const { outcome } = state;
  if (key.name === 'escape') return only(state, 'leave');
  if (outcome !== undefined && isEcho(state, outcome, key)) {
    return only(isTyped(key) ? { ...state, outcome: { ...outcome, typedOnAt: key.time } } : state);
  }
  if (key.repeat) return only(state);
  if (key.name === 'enter' || key.name === 'tab') {
    return only({ ...withoutRound(state), missed: '' }, 'new-round');
  }
  if (key.text === 'm') return practiseMissed(state);
  if (key.text === 'r' && outcome !== undefined) {
    const again = { attempt: state.attempt + 1, timeBefore: momentsOf(finishedOf(outcome.round)) };
    return only({ ...state, ...again }, 'repeat-round');
  }
  if (key.text === '?') return only(openScreen(state, 'help', key.time));
  if (key.text === 'k')
    return only({ ...state, measure: state.measure === 'accuracy' ? 'speed' : 'accuracy' });
  return only(scrolled(state, key.name));
}

/** Whether a key on the results was still meant for the round. */
function isEcho(
  { options }: State,
  { round, finishedAt, typedOnAt }: RoundOutcome,
  { time }: StampedKey,
): boolean {
  const isEnterUsual = options.advance !== 'space' || isReadAsText(round.practised);
  const isSurprise = round.isOver || round.ended !== undefined || isEnterUsual;
  const sinceEnd = time - finishedAt;
  if (sinceEnd < (isSurprise ? settlingTimeOfSurprise : settlingTime)) return true;
  return typedOnAt > finishedAt && time - typedOnAt < pauseAfterTypingOn && sinceEnd < maxSettling;
}

/** Keys that act on purpose, such as Enter, do not hold themselves up. */
function isTyped({ name }: StampedKey): boolean {
  return name === 'character' || name === 'space' || name === 'backspace' || name === 'delete-word';
}

function practiseMissed(state: State): Reaction {
  const missed = state.outcome === undefined ? '' : missedText(state.outcome.round);
  return missed === ''
    ? only({ ...state, notice: 'Nothing to practise: no word was missed or slow.' })
    : only({ ...withoutRound(state), missed, notice: '' }, 'new-round');
}

export function pressOptions(before: State, key: StampedKey): Reaction {
  const state = before.notice === '' ? before : { ...before, notice: '' };
  switch (key.name) {
    case 'escape':
    case 'enter':
      return only(closeScreen(state), 'save-options');
    case 'up':
    case 'down': {
      const step = key.name === 'up' ? -1 : 1;
      const optionRow = (state.optionRow + step + optionRows.length) % optionRows.length;
      return only({ ...state, optionRow });
    }
    case 'left':
    case 'right':
    case 'space': {
      const options = turnedOption(state.options, state.optionRow, key.name === 'left' ? -1 : 1);
      return only({ ...state, options }, 'save-options');
    }
    default:
      return only(state);
  }
}

/** Help, and history or results as sentences. */
export function pressReading(state: State, key: StampedKey): Reaction {
  if (key.name === 'escape' || key.name === 'enter' || key.text === 'q') return only(closeScreen(state));
  return only(scrolled(state, key.name));
}

export function pressResume(state: State, key: StampedKey): Reaction {
  if (key.name === 'enter') return only(state, 'take-left-round');
  if (key.name === 'tab')
    return only({ ...state, screen: 'typing', leftRound: undefined }, 'drop-left-round', 'new-round');
  return key.name === 'escape' ? only(state, 'leave') : only(state);
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

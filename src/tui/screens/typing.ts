import { bothEnds, centred, cut, fittingParts, wrapped } from '../../kit/terminal-text.ts';
import { backspaceKey, spaceKey } from '../../typing/rules/rules.ts';
import type { Look, Style } from '../look/look.ts';
import type { Options } from '../record/options.ts';
import { isReadAsText } from '../round/round-setup.ts';
import {
  deleteWord,
  endedByTime,
  isDone,
  isLastWordTyped,
  isPaused,
  isTimeUp,
  isUnderWay,
  type RoundView,
  typeKey,
} from '../round/round-view.ts';
import { liveWpm } from '../round/scoring.ts';
import { paceOf, paceText } from '../state/pace.ts';
import type { State } from '../state/state.ts';
import { focusParts, goalText, kindText, placeOf, ruleParts } from '../state/text.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { drawKeyboard, drawnLayout, keyboardHeight, keyboardWidth } from '../view/keyboard.ts';
import { drawLines } from '../view/lines.ts';
import { drawKeys, type Page, pageMargin } from '../view/page.ts';
import { drawWords, roomyWordRows } from '../view/words.ts';
import {
  finishRound,
  mustConfirm,
  openScreen,
  type Reaction,
  reaction,
  withoutRound,
  withRound,
} from './reaction.ts';

const keys = [
  ['F1', 'help'],
  ['Ctrl+P', 'choose'],
  ['Esc', 'leave'],
  ['Tab', 'restart'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
] as const;

export function pressTyping(state: State, key: StampedKey): Reaction {
  const { round, confirming, notice } = state;
  if (key.name === 'tab') return pressTab(state);
  if (key.name === 'escape') return pressEscape(state);
  // In a round a question mark is a character like any other.
  if (key.text === '?' && (round === undefined || (!isUnderWay(round) && round.words[0]?.[0] !== '?')))
    return reaction(openScreen(state, 'help', key.time));
  if (round === undefined) return reaction(state);
  if (isTimeUp(round, key.time)) return finishRound(state, endedByTime(round), key.time);
  if (key.name === 'paste') return reaction({ ...state, notice: 'Paste ignored: only typing counts.' });
  const isQuiet = confirming === undefined && notice === '';
  const quiet = isQuiet ? state : { ...state, confirming: undefined, notice: '' };
  const next = afterKey(state, round, key);
  if (next !== round) return react(quiet, round, next, key.time);
  const { advance } = state.options;
  const isSeparator = key.name === 'space' || key.name === 'enter';
  if (!isSeparator || advance === 'either' || advance === key.name) return reaction(quiet);
  const right = advance === 'enter' ? 'Enter' : 'Space';
  return reaction({ ...quiet, notice: `${right} ends a word; Ctrl+O changes that.` });
}

function pressEscape(state: State): Reaction {
  const wouldLose = state.round !== undefined && isUnderWay(state.round);
  return wouldLose && state.confirming !== 'leave'
    ? reaction({ ...state, confirming: 'leave' })
    : reaction(state, 'quit-discarding');
}

function pressTab(state: State): Reaction {
  if (mustConfirm(state) && state.confirming !== 'restart')
    return reaction({ ...state, confirming: 'restart' });
  const hasOther = state.missed === '' && state.customText?.other !== undefined;
  return reaction(withoutRound(state), hasOther ? 'other-text' : 'new-round');
}

function afterKey({ options }: State, round: RoundView, key: StampedKey): RoundView {
  const { name, text } = key;
  if (name === 'character') return typeKey(round, text, key);
  if (name === 'backspace') return typeKey(round, backspaceKey, key);
  if (name === 'delete-word') return deleteWord(round, key);
  if (name !== 'space' && name !== 'enter') return round;
  // The end of a line is left with Enter, too, as in an editor; a long line may have several on the screen.
  const isText = name === 'enter' && isReadAsText(round.roundSetup);
  const doesAdvance = isText || options.advance === 'either' || options.advance === name;
  return doesAdvance ? typeKey(round, spaceKey, key) : round;
}

function react(state: State, round: RoundView, next: RoundView, time: number): Reaction {
  if (isDone(next)) return finishRound(state, next, time);
  const { progress, score } = round;
  // Explains why a key did nothing, if nothing else shows it.
  const isHeld =
    round.practice.rules.stop_on === 'word' &&
    next.progress.wordIndex === progress.wordIndex &&
    next.progress.input.length === progress.input.length;
  const typed = withRound(isHeld ? { ...state, notice: 'Correct this word first.' } : state, next);
  const isWrong = next.score.totalKeys > score.totalKeys && next.score.correctKeys === score.correctKeys;
  const rings = state.options.sounds && !state.options.blind && isWrong;
  return rings ? reaction(typed, 'bell') : reaction(typed);
}

const footRows = 3;

export function drawTyping(look: Look, state: State): Page {
  const { round, size, waiting, options } = state;
  const width = size.columns - pageMargin;
  const bottom = drawKeys(look, keys, width);
  if (round === undefined) {
    const reason = `There are no words: ${waiting}. Ctrl+P chooses something else.`;
    const text = waiting === '' ? `Loading words${look.signs.ellipsis}` : reason;
    const rows = wrapped(text, width).map((row) => centred(row, width));
    return { blocks: [[look.paint('strong', 'typebadge'), ''], rows], bottom: ['', '', bottom] };
  }
  const head = drawHead(look, state, round, width);
  const room = size.rows - head.length - footRows;
  const keyboard = drawKeyboardRows(look, state, round, width, room);
  const draw = options.view === 'lines' || isReadAsText(round.roundSetup) ? drawLines : drawWords;
  const rows = keyboard.length === 0 ? room : room - keyboard.length - 1;
  const words = draw({ look, round: seenRound(state, round), width, rows, pace: paceOf(state) });
  // The speed, what matters most right now, and the keys: always in the same rows.
  const speed = drawSpeed(look, state, round, width);
  return { blocks: [head, words, keyboard], bottom: [speed, drawStatus(look, state, round, width), bottom] };
}

/** What is practised and the place in it, a line that shows how much is done, and what the round is about. */
function drawHead(look: Look, state: State, round: RoundView, width: number): string[] {
  const { elapsed, options, profile, attempt, customText } = state;
  const { paint, signs } = look;
  const place = placeOf(round, elapsed);
  const list = customText?.list === undefined ? '' : customText.title;
  const again = attempt > 1 ? `attempt ${attempt}` : '';
  const rules = ruleParts(round, options.blind);
  const about = [kindText(round) || list, again, ...rules, profile, round.roundSetup.source];
  const [first = 'typebadge', ...more] = about.filter((part) => part !== '');
  // The place has a fixed width, so that the parts beside it do not come and go.
  const room = width - place.width - 1;
  const title = fittingParts([cut(first, room, signs.ellipsis), ...more], ` ${signs.dot} `, room);
  const [letters, ...others] = focusParts(round, look);
  const focus = letters && [letters, ...others.map((part) => paint('faint', part))];
  return [
    bothEnds(paint('strong', title), paint('faint', place.text), width),
    drawBar(look, place.done, place.total, width, 'faint'),
    ...(focus ? [fittingParts(focus, '  ', width)] : []),
  ];
}

/** The round as it may be seen; blind, as if every letter typed were right. */
function seenRound({ options }: Pick<State, 'options'>, round: RoundView): RoundView {
  if (!options.blind) return round;
  const { progress } = round;
  const wanted = (at: number, length: number) => [...(round.words[at] ?? '')].slice(0, length);
  return {
    ...round,
    progress: { ...progress, input: wanted(progress.wordIndex, progress.input.length) },
    typedBefore: round.typedBefore.map((_, at) => wanted(at, Number.POSITIVE_INFINITY)),
    refused: undefined,
  };
}

/** No rows if it is not wanted or has no room, or if the layout is not known. */
function drawKeyboardRows(look: Look, state: State, round: RoundView, width: number, room: number): string[] {
  const { options, catalog } = state;
  const layout = options.keyboard ? drawnLayout(catalog, round.roundSetup) : undefined;
  if (layout === undefined) return [];
  const columns = keyboardWidth(layout);
  if (room <= roomyWordRows + keyboardHeight || width < columns) return [];
  const indent = ' '.repeat(Math.floor((width - columns) / 2));
  const { wordIndex, input } = round.progress;
  const next = round.words[wordIndex]?.[input.length] ?? (options.advance === 'enter' ? '' : ' ');
  return drawKeyboard(look, layout, next).map((row) => indent + row);
}

const figureWidth = 9;

/** Speed as figure and bar, with marks at the average and the best of the rounds before. */
function drawSpeed(look: Look, { history, options }: State, round: RoundView, width: number): string {
  const { best_standard_wpm: best = 0, average_standard_wpm: average = 0 } = history ?? {};
  const live = liveWpm(options.reducedMotion ? asOfLastWord(round) : round);
  const wpm = live === undefined ? undefined : Math.round(live);
  const { signs } = look;
  const figure = `${(wpm === undefined ? signs.dash : String(wpm)).padStart(3)} WPM`;
  // The WPM at the end of the bar changes in steps.
  const end = Math.max(120, Math.ceil((Math.max(best, wpm ?? 0) + 1) / 40) * 40);
  const marks = { [signs.average]: average, [signs.best]: best };
  return figure.padEnd(figureWidth) + drawBar(look, wpm ?? 0, end, width - figureWidth, 'accent', marks);
}

/** The round as it was when the last word was left: with reduced motion, figures change once a word. */
function asOfLastWord(round: RoundView): RoundView {
  const { input, wrong } = round.progress;
  const { right: rightKeys, wrong: wrongKeys } = round.score;
  const score = { ...round.score, right: rightKeys - (input.length - wrong), wrong: wrongKeys - wrong };
  return { ...round, active: round.log.at(-1 - input.length)?.at ?? 0, score };
}

/** The sentences that matter most right now; empty if there is nothing to say. */
function drawStatus({ paint, signs }: Look, state: State, round: RoundView, width: number): string {
  const { confirming, notice, goal, options } = state;
  const paused = isPaused(round) ? 'Timer paused; type to resume.' : '';
  const warning = confirming === undefined ? `${notice} ${paused}`.trim() : questions[confirming];
  const end = confirming === undefined ? endText(round, options.advance) : '';
  const pace = warning + end === '' ? paceText(state) : '';
  const idle = round.inputCount === 0 ? goalText(goal) : '';
  // How to end the round comes before any warning.
  const text = [end, warning, pace, idle].filter((part) => part !== '').join(' ');
  const [first = '', ...others] = text.split(/(?<=\.) /);
  const sentences = fittingParts([cut(first, width, signs.ellipsis), ...others], ' ', width);
  return paint(warning + pace === '' ? 'faint' : 'warning', sentences);
}

const questions = {
  leave: 'Esc again discards; Ctrl+C keeps it.',
  restart: 'Tab again restarts with other words.',
} as const;

/** What ends the round if its last word is wrong; empty before its last letter, and if a rule stops there. */
function endText(round: RoundView, advance: Options['advance']): string {
  const isStopped = round.practice.rules.stop_on === 'word' && round.progress.wrong > 0;
  if (!isLastWordTyped(round) || isStopped) return '';
  const takesEnter = advance !== 'space' || isReadAsText(round.roundSetup);
  const keys = advance === 'enter' ? 'Enter' : takesEnter ? 'Space or Enter' : 'Space';
  return `${keys} ends the round.`;
}

/** A horizontal bar of `width` columns, full at `max`. @param marks signs, and the values where they stand */
function drawBar(
  { paint, signs }: Look,
  value: number,
  max: number,
  width: number,
  style: Style,
  marks: Readonly<Record<string, number>> = {},
): string {
  const columnOf = (part: number) => Math.min(width, Math.round((part / max) * width));
  const filled = columnOf(value);
  const cells = [...signs.filled.repeat(filled).padEnd(width, signs.unfilled)];
  for (const [sign, marked] of Object.entries(marks))
    if (marked > 0) cells[Math.min(width - 1, columnOf(marked))] = sign;
  return paint(style, cells.slice(0, filled).join('')) + paint('faint', cells.slice(filled).join(''));
}

// The screens that are read from top to bottom: help, and results and history as sentences.
import { padded, wrapped } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { reportLines } from '../progress/report-text.ts';
import type { State } from '../state/state.ts';
import type { KeyName, StampedKey } from '../terminal/keys.ts';
import { drawKeys, frameRows, type Page, pageMargin } from '../view/page.ts';
import { closeScreen, type Reaction, reaction } from './reaction.ts';
import { resultsKeys, resultsLines } from './results-text.ts';

export function pressReading(state: State, key: StampedKey): Reaction {
  if (key.name === 'escape' || key.name === 'enter' || key.text === 'q') return reaction(closeScreen(state));
  return pressScroll(state, key);
}

const scrollSteps: Partial<Record<KeyName, number>> = {
  up: -1,
  down: 1,
  'page-up': -10,
  'page-down': 10,
  space: 10,
  home: Number.NEGATIVE_INFINITY,
};

export function pressScroll(state: State, { name }: StampedKey): Reaction {
  const to = Math.max(0, Math.min(state.scroll + (scrollSteps[name] ?? 0), maxScroll(state)));
  return reaction(to === state.scroll ? state : { ...state, scroll: to });
}

/** Text from top to bottom, which scrolls if it is longer than the screen. */
export function drawReading(look: Look, state: State): Page {
  const width = state.size.columns - pageMargin;
  const max = maxScroll(state);
  const first = Math.min(state.scroll, max);
  const [title = '', ...text] = readingRows(state, width);
  const [leave, ...others] =
    state.screen === 'results' ? resultsKeys(state, false) : ([['Esc', 'back']] as const);
  // `read on` comes second, because a narrow window drops the last keys.
  const readOn = first < max ? ([['Down', 'read on']] as const) : [];
  return {
    blocks: [[look.paint('strong', title), ...text].slice(first)],
    bottom: [drawKeys(look, [...(leave ? [leave] : []), ...readOn, ...others], width)],
  };
}

/** Whether the screen is shown as sentences instead of a drawing. */
export function isPlain({ options, screen, outcome, report }: State): boolean {
  if (!options.plain) return false;
  if (screen === 'results') return outcome !== undefined;
  return screen === 'history' && report !== undefined;
}

export function maxScroll(state: State): number {
  const { screen, historyView, report } = state;
  if (screen === 'history' && historyView.page === 'rounds' && !isPlain(state))
    return Math.max(0, (report?.rounds.length ?? 0) - state.size.rows + frameRows);
  const isRead = state.screen === 'help' || isPlain(state);
  const rows = isRead ? readingRows(state, state.size.columns - pageMargin) : [];
  return Math.max(0, rows.length - state.size.rows + 1);
}

function readingRows(state: State, width: number): string[] {
  const { screen, outcome, report } = state;
  if (screen === 'help') return helpRows(width);
  const results = outcome === undefined ? [] : resultsLines(state, outcome);
  const history = report === undefined ? [] : ['History', '', ...reportLines(report)];
  const lines = screen === 'results' ? results : history;
  return lines.flatMap((line) => wrapped(line, Math.min(width, maxRow)));
}

/** Longer rows are hard to read. */
const maxRow = 90;

const helpKeys = [
  ['Space', 'finish the word; skip its missing letters'],
  ['Backspace', 'delete a letter'],
  ['Ctrl+W', 'delete the word; also Alt+Backspace'],
  ['Tab', 'restart (twice after word 5)'],
  ['Esc', 'leave (twice in a round)'],
  ['Ctrl+P', 'choose mode, language, layout: type to search'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
  ['Ctrl+L', 'draw the screen again'],
  ['Ctrl+Z', 'stop; type fg to come back'],
  ['F1', 'this help; also ? before a round'],
  ['Enter', 'next round, on the results'],
  ['r', 'same text again, on the results'],
  ['m', 'missed words, on the results'],
  ['k', 'keys by speed or accuracy, on the results'],
] as const;

const notes = [
  'WPM: characters / 5 per minute, spaces included; the first key is left out, because it starts the timer. Accuracy: right keystrokes of all, without the spaces after words; corrected mistakes still count.',
  'The timer starts with the first right letter and pauses while you look elsewhere, and after 20 seconds without a key (not in a timed test).',
];

const keyWidth = 12;

function helpRows(width: number): string[] {
  const table = helpKeys.flatMap(([key, action]) => {
    const [first = '', ...rest] = wrapped(action, width - keyWidth);
    return [padded(key, keyWidth) + first, ...rest.map((row) => ' '.repeat(keyWidth) + row)];
  });
  return ['Help', '', ...table, ...notes.flatMap((note) => ['', ...wrapped(note, Math.min(width, maxRow))])];
}

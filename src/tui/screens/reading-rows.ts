/* The screens that are read from top to bottom: help, and results and history as sentences. */
import { padded, wrapped } from '../../kit/terminal-text.ts';
import { reportLines } from '../progress/report-text.ts';
import type { State } from '../state/state.ts';
import { helpKeys } from '../view/key-hints.ts';
import { resultsLines } from './results-text.ts';

/** Whether the screen is shown as sentences instead of a drawing. */
export function isPlain({ options, screen, outcome, report }: State): boolean {
  if (!options.plain) return false;
  if (screen === 'results') return outcome !== undefined;
  return screen === 'history' && report !== undefined;
}

export function maxScroll(state: State): number {
  const rows = state.screen === 'help' || isPlain(state) ? readingRows(state, state.size.columns - 2) : [];
  return Math.max(0, rows.length - state.size.rows + 1);
}

export function readingRows(state: State, width: number): string[] {
  const { screen, outcome, report } = state;
  if (screen === 'help') return helpRows(width);
  const results = outcome === undefined ? [] : resultsLines(state, outcome);
  const history = report === undefined ? [] : reportLines(report);
  const lines = screen === 'results' ? results : history;
  return lines.flatMap((line) => wrapped(line, Math.min(width, maxRow)));
}

/** Longer rows are hard to read. */
const maxRow = 90;

const notes = [
  'WPM: characters / 5 per minute, spaces included; the first is left out, because it starts the timer. Accuracy: right keystrokes of all, without the spaces after words; corrected mistakes still count.',
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

import { fittingParts } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { missedWords } from '../round/scoring.ts';
import type { State } from '../state/state.ts';

export type KeyHint = readonly [key: string, does: string];

/** Keys and what they do, the most important first: as many as fit. */
export function drawKeys({ paint }: Look, keys: readonly KeyHint[], width: number): string {
  const parts = keys.map(([key, does]) => `${paint('strong', key)} ${paint('faint', does)}`);
  return fittingParts(parts, '  ', width);
}

/** The keys that do something on the results, the most important first. */
export function resultsKeys({ outcome }: State, hasMap: boolean): KeyHint[] {
  const hasMissed = outcome !== undefined && missedWords(outcome.round).length > 0;
  return [
    ['Enter', 'next round'],
    ['r', 'again'],
    ...(hasMissed ? ([['m', 'missed words']] as const) : []),
    ['Esc', 'leave'],
    ...(hasMap ? ([['k', 'speed or accuracy']] as const) : []),
    ['Ctrl+Y', 'history'],
    ['Ctrl+P', 'choose'],
    ['?', 'help'],
    ['Ctrl+O', 'options'],
  ];
}

export const helpKeys: readonly KeyHint[] = [
  ['Space', 'finish the word; skips its missing letters'],
  ['Backspace', 'delete a letter'],
  ['Ctrl+W', 'delete the word; so does Alt+Backspace'],
  ['Tab', 'restart (twice after word 5)'],
  ['Esc', 'leave (twice in a round)'],
  ['Ctrl+P', 'choose mode, language, layout: type to search'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
  ['Ctrl+L', 'draw the screen again'],
  ['Ctrl+Z', 'stop; type fg to come back'],
  ['F1', 'this help; so does ? before a round'],
  ['Enter', 'next round, on the results'],
  ['r', 'same text again, on the results'],
  ['m', 'missed words, on the results'],
  ['k', 'speed or accuracy, on the results'],
];

/** A key and what it does, in a few words and in one. */
export interface KeyHint {
  readonly key: string;
  readonly does: string;
  readonly short: string;
}

function hint(key: string, does: string, short = does): KeyHint {
  return { key, does, short };
}

/** The keys of the results, the most important first. */
export const resultsKeys = {
  next: hint('Enter', 'next round', 'next'),
  again: hint('r', 'same text again', 'again'),
  missed: hint('m', 'missed words', 'missed'),
  leave: hint('Esc', 'leave'),
  measure: hint('k', 'speed or accuracy', 'speed'),
  history: hint('Ctrl+Y', 'history'),
  palette: hint('Ctrl+P', 'choose', 'choose'),
  options: hint('Ctrl+O', 'options'),
  help: hint('?', 'help'),
} as const;

export const optionsKeys = [
  hint('Left/Right', 'change'),
  hint('Esc', 'back'),
  hint('Up/Down', 'choose'),
] as const;

export const paletteKeys = [hint('Enter', 'choose'), hint('Up/Down', 'move'), hint('Esc', 'back')] as const;

export const resumeKeys = [
  hint('Enter', 'continue'),
  hint('Tab', 'new round'),
  hint('Esc', 'leave'),
] as const;

export const historyKeys = {
  back: hint('Esc', 'back'),
  page: hint('Tab', 'page'),
  open: hint('Enter', 'open'),
  list: hint('Enter', 'list'),
  measure: hint('k', 'speed or accuracy', 'speed'),
  kind: hint('Left/Right', 'mode, language, layout', 'kind'),
} as const;

export const readOnKey = hint('Down', 'read on');

/** Keys of a round and everywhere, for the help. */
const generalKeys: readonly (readonly [string, string])[] = [
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
];

/** All keys with what they do. */
export function helpKeys(): (readonly [string, string])[] {
  const { next, again, missed, measure } = resultsKeys;
  const results = [next, again, missed, measure].map(
    ({ key, does }) => [key, `${does}, on the results`] as const,
  );
  return [...generalKeys, ...results];
}

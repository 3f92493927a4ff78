// Everything that can be chosen, found by typing a part of its name: letters search, Enter chooses.
import { bothEnds, cut, padded } from '../../kit/terminal-text.ts';
import { englishName } from '../../typing/letters/language.ts';
import { defaultMode, modes, offeredTypes, type ValuedType } from '../../typing/modes/mode.ts';
import { countedLanguage } from '../../typing/modes/practice.ts';
import type { Look } from '../look/look.ts';
import { optionRows, valueName } from '../record/option-table.ts';
import type { Options } from '../record/options.ts';
import { layoutGapText, missingLetters } from '../state/layout-gap.ts';
import { newPalette, type State } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { drawnLayout } from '../view/keyboard.ts';
import { drawKeys, frameRows, type Page, pageMargin, rowsAround } from '../view/page.ts';
import { listRow } from './options.ts';
import { closeScreen, mustConfirm, openScreen, type Reaction, reaction, withoutRound } from './reaction.ts';

/** What choosing an entry does. */
type PaletteChoice =
  /** Begins a round of another mode, language or layout. */
  | { readonly change: Partial<Options> }
  /** `optionRow`: the option to put the cursor on. */
  | { readonly screen: 'options' | 'history' | 'help'; readonly optionRow?: number }
  /** Ends play; a round under way is kept. */
  | 'leave';

/** What the entries depend on. */
export type Choices = Pick<State, 'catalog' | 'options'>;

/**
 * @param aliases what else people may type to find it
 * @param secondName such as the English one of a language: as good as the label, and not shown
 */
function entry(group: string, label: string, aliases: string, choice: PaletteChoice, secondName = '') {
  return { group, label, aliases, choice, secondName };
}

type PaletteEntry = Readonly<ReturnType<typeof entry>>;

const screenEntries: readonly PaletteEntry[] = [
  entry('Screen', 'History', 'progress results statistics stats rounds heat map', { screen: 'history' }),
  entry('Screen', 'Options', 'settings', { screen: 'options' }),
  entry('Screen', 'Help', 'keys', { screen: 'help' }),
  entry('Screen', 'Leave', 'exit quit close end stop', 'leave'),
];

/** One entry for each option, with its value: it opens the options screen there. */
function optionEntries({ options }: Choices): PaletteEntry[] {
  return optionRows.map((row, optionRow) => {
    const { key, label, help, names } = row;
    const aliases = `setting ${key} ${help} ${names.join(' ')}`;
    return entry('Option', `${label}: ${valueName(row, options[key])}`, aliases, {
      screen: 'options',
      optionRow,
    });
  });
}

const wordCounts = [10, 25, 30, 50, 100, 200];
const testSeconds = [15, 30, 60, 120, 300];
const codeLanguages = 'typescript javascript python go rust java c bash sql html css'.split(' ');

const modeEntries: Readonly<Record<ValuedType, readonly PaletteEntry[]>> = {
  words: [
    ...wordCounts.map(wordsEntry),
    modeEntry('Words', 'with numbers', 'digits figures', { ...defaultMode, numbers: true }),
  ],
  time: testSeconds.map(timeEntry),
  text: [], // its path is typed
  quote: modes.quote.parameters.length.values.map((length) =>
    modeEntry('Quote', length, 'sentence text', { type: 'quote', length }),
  ),
  code: codeLanguages.map((language) => modeEntry('Code', language, 'program', { type: 'code', language })),
  drill: modes.drill.parameters.on.values.map((on) =>
    modeEntry('Drill', on, 'practise practice missed slow weak errors', { type: 'drill', on }),
  ),
};

const offeredEntries = offeredTypes.map((type) => {
  const { label, aliases } = modes[type].offer;
  return modeEntry(type.charAt(0).toUpperCase() + type.slice(1), label, aliases, { type });
});

function timeEntry(seconds: number) {
  return modeEntry('Time', `${seconds} seconds`, 'test timed timer', { type: 'time', seconds });
}

function wordsEntry(count: number) {
  return modeEntry('Words', `${count} words`, '', { type: 'words', count });
}

function modeEntry(group: string, label: string, aliases: string, mode: Options['mode']) {
  return entry(group, label, `mode ${aliases}`, { change: { mode } });
}

/** The languages, and the layouts on which the letters of some language can be typed. */
function catalogEntries({ catalog }: Choices): PaletteEntry[] {
  const { languages = [], layouts = [] } = catalog ?? {};
  return [
    ...languages.map(({ id, name }) =>
      entry('Language', name, `${id} words`, { change: { language: id } }, englishName(id)),
    ),
    ...layouts
      .filter(({ rows }) => languages.some(({ alphabet }) => missingLetters(alphabet, rows).length === 0))
      .map(({ id, name }) => entry('Layout', name, `${id} keyboard`, { change: { layout: id } })),
  ];
}

/** A number that was typed is a length that the list does not have. */
function numberEntries(query: string): PaletteEntry[] {
  const number = Number(/\d+/.exec(query)?.[0] ?? 0);
  const { seconds } = modes.time.parameters;
  const { count } = modes.words.parameters;
  const isTime = number >= seconds.min && number <= seconds.max && !testSeconds.includes(number);
  const isCount = number >= count.min && number <= count.max && !wordCounts.includes(number);
  return [...(isTime ? [timeEntry(number)] : []), ...(isCount ? [wordsEntry(number)] : [])];
}

/**
 * The entries that a query finds, the best first. An empty one finds modes, then screens and options,
 * languages and layouts.
 */
export function findEntries(choices: Choices, query: string): PaletteEntry[] {
  const terms = wordsOf(query);
  const all = [
    ...Object.values(modeEntries).flat(),
    ...offeredEntries,
    ...screenEntries,
    ...optionEntries(choices),
    ...catalogEntries(choices),
  ];
  if (terms.length === 0) return all;
  const found = [...all, ...numberEntries(query)]
    .map((entry) => ({ entry, rank: rankEntry(entry, terms) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  return found.map(({ entry }) => entry);
}

/** Whole words of a query; neither accents nor the British `u` of colours need be typed. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('colour', 'color');
  return plain.split(/[\s:;,()]+/).filter((word) => word !== '');
}

/** 0 unless every word of the query is found: best as a word of a name, then of the aliases, then in part. */
function rankEntry({ group, label, secondName, aliases }: PaletteEntry, terms: readonly string[]): number {
  const names = wordsOf(`${group} ${label} ${secondName}`);
  const others = wordsOf(aliases);
  const ranks = terms.map((term) => {
    if (names.includes(term)) return 6;
    if (others.includes(term)) return 4;
    if (names.some((word) => word.startsWith(term))) return 3;
    return [...names, ...others].some((word) => word.includes(term)) ? 2 : 0;
  });
  if (ranks.includes(0)) return 0;
  // Whole names come first: the layout Dvorak before variants of it.
  const isWhole = [label, secondName].some(
    (name) => name !== '' && wordsOf(name).every((word) => terms.includes(word)),
  );
  return ranks.reduce<number>((sum, rank) => sum + rank, Number(isWhole));
}

export function pressPalette(state: State, key: StampedKey): Reaction {
  const { query, row } = state.palette;
  switch (key.name) {
    case 'escape':
      return reaction(closeScreen(state));
    case 'enter':
      return choose(state, key.time);
    case 'up':
    case 'down':
      return reaction(move(state, row + (key.name === 'up' ? -1 : 1)));
    case 'backspace':
      return reaction(search(state, [...query].slice(0, -1).join('')));
    case 'delete-word':
      return reaction(search(state, ''));
    case 'space':
      return reaction(search(state, `${query} `));
    default:
      return reaction(key.text === '' ? state : search(state, query + key.text));
  }
}

function search(state: State, query: string): State {
  return { ...state, palette: { ...newPalette, query } };
}

/** Wraps around. */
function move(state: State, row: number): State {
  const { query } = state.palette;
  const count = findEntries(state, query).length;
  return { ...state, palette: { ...newPalette, query, row: count === 0 ? 0 : (row + count) % count } };
}

function choose(state: State, time: number): Reaction {
  const { choice } = findEntries(state, state.palette.query)[state.palette.row] ?? {};
  if (choice === undefined) return reaction(state);
  if (choice === 'leave') return reaction(state, 'quit-keeping');
  if ('screen' in choice) {
    const opened = openScreen(state, choice.screen, time);
    if (choice.screen === 'history') return reaction(opened, 'load-report');
    return reaction({ ...opened, optionRow: choice.optionRow ?? opened.optionRow });
  }
  if (mustConfirm(state) && !state.palette.isConfirming)
    return reaction({ ...state, palette: { ...state.palette, isConfirming: true } });
  return practise(state, choice.change);
}

/** A round of another mode, language or layout. */
function practise(state: State, change: Partial<Options>): Reaction {
  const options = { ...state.options, ...change };
  const { catalog } = state;
  const layout = drawnLayout(catalog, options);
  const isKnown = change.mode === undefined && catalog !== undefined && layout !== undefined;
  const notice = isKnown
    ? layoutGapText(catalog, countedLanguage(options.mode.type, options.language), layout)
    : '';
  const customText = change.mode === undefined ? state.customText : undefined;
  const next = { ...withoutRound(state), options, customText, missed: '', notice };
  return reaction(next, 'save-options', 'new-round');
}

const keys = [
  ['Enter', 'choose'],
  ['Up/Down', 'move'],
  ['Esc', 'back'],
] as const;

const groupWidth = 18;
/** Columns of the number of entries, the prompt and the caret. */
const countWidth = 16;

export function drawPalette(look: Look, state: State): Page {
  const { paint, signs } = look;
  const { size, palette, catalog } = state;
  const width = size.columns - pageMargin;
  const entries = findEntries(state, palette.query);
  const shown = palette.query.slice(-Math.max(10, width - countWidth));
  const hint = shown === '' ? ' type to search: mode, language, layout, option' : '';
  const query = `${paint('strong', '>')} ${shown}${paint('current', ' ')}`;
  const line = query + paint('faint', cut(hint, width - countWidth, signs.ellipsis));
  const count = paint('faint', `${entries.length} ${shown === '' ? 'entries' : 'found'}`);
  const room = size.rows - frameRows - 1; // for the remark above the keys
  const rows = rowsAround(entries, palette.row, room).map(([entry, isChosen]) => {
    const [style, text] = listRow(`${padded(entry.group, groupWidth)} ${entry.label}`, isChosen);
    return paint(style, cut(text, width, signs.ellipsis));
  });
  const nothing = entries.length > 0 ? '' : 'Nothing found. Type a part of a name.';
  const loading = catalog === undefined ? 'Languages and layouts are loading.' : '';
  const remark = palette.isConfirming ? 'Enter again abandons this round.' : `${nothing} ${loading}`.trim();
  return {
    blocks: [[bothEnds(line, count, width), '', ...rows]],
    bottom: [paint('warning', cut(remark, width, signs.ellipsis)), drawKeys(look, keys, width)],
  };
}

import { englishName } from '../../typing/letters/language.ts';
import { defaultMode, type ModeType, modes } from '../../typing/modes/mode.ts';
import type { Catalog } from '../link/answers.ts';
import { optionRows, valueName } from '../record/option-table.ts';
import type { Options } from '../record/options.ts';
import { missingLetters } from './layout-gap.ts';

/** The query of the palette, and the selected entry. */
export interface Palette {
  readonly query: string;
  readonly row: number;
  /** The next Enter abandons the round in progress. */
  readonly isConfirming: boolean;
}

export const newPalette: Palette = { query: '', row: 0, isConfirming: false };

type Screen = 'options' | 'history' | 'help';

/** What choosing an entry does. */
export type PaletteChoice =
  /** Another mode, language or layout begins a round at once. */
  | { readonly type: 'set'; readonly change: Partial<Options> }
  | { readonly type: 'text'; readonly file: string }
  /** `optionRow`: the option to put the cursor on. */
  | { readonly type: 'screen'; readonly screen: Screen; readonly optionRow?: number }
  /** Ends play; a round under way is kept. */
  | { readonly type: 'leave' };

export interface PaletteEntry {
  readonly group: string;
  readonly label: string;
  /** Another name, such as the English one of a language: as good as the label, and not shown. */
  readonly secondName: string;
  /** What else people may type to find it. */
  readonly aliases: string;
  readonly choice: PaletteChoice;
}

/** What the entries depend on. */
export interface Choices {
  readonly catalog: Catalog | undefined;
  readonly options: Options;
}

/**
 * The entries that a query finds, the best first. An empty one finds screens and options, then modes,
 * languages and layouts; the values of an option are found by typing.
 */
export function findEntries(choices: Choices, query: string): PaletteEntry[] {
  const terms = wordsOf(query);
  const practice = [
    ...Object.values(entriesOfModes).flat(),
    ...languageEntries(choices),
    ...layoutEntries(choices),
  ];
  if (terms.length === 0) return [...screenEntries, ...optionEntries(choices), ...practice];
  const found = [...practice, ...valueEntries, ...screenEntries, ...numberEntries(query)]
    .map((entry) => ({ entry, rank: rankEntry(entry, terms, choices.options) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  return [...textEntries(query), ...found.map(({ entry }) => entry)];
}

/** Whether choosing it would change nothing. */
export function isCurrent({ choice }: PaletteEntry, options: Options): boolean {
  if (choice.type !== 'set') return false;
  return Object.entries(choice.change).every(
    ([key, value]) => JSON.stringify(value) === JSON.stringify(options[key as keyof Options]),
  );
}

function entry(group: string, label: string, aliases: string, choice: PaletteChoice, secondName = '') {
  return { group, label, aliases, choice, secondName };
}

const screenEntries: readonly PaletteEntry[] = [
  entry('Screen', 'History', 'progress results statistics stats rounds heat map', {
    type: 'screen',
    screen: 'history',
  }),
  entry('Screen', 'Options', 'settings', { type: 'screen', screen: 'options' }),
  entry('Screen', 'Help', 'keys', { type: 'screen', screen: 'help' }),
  entry('Screen', 'Leave', 'exit quit close end stop', { type: 'leave' }),
];

/** One entry for each option, with its value: it opens the options screen there. */
function optionEntries({ options }: Choices): PaletteEntry[] {
  return optionRows.map((row, optionRow) => {
    const label = `${row.label}: ${valueName(row, options[row.key])}`;
    return entry('Option', label, '', { type: 'screen', screen: 'options', optionRow });
  });
}

const valueEntries: readonly PaletteEntry[] = optionRows.flatMap(
  ({ key, label, values, names, aliases = '' }) =>
    values.map((value, at) =>
      entry(label, names[at] ?? '', `option setting ${aliases}`, { type: 'set', change: { [key]: value } }),
    ),
);

const wordCounts = [10, 25, 30, 50, 100, 200];
const testSeconds = [15, 30, 60, 120, 300];
const codeLanguages = 'typescript javascript python go rust java c bash sql html css'.split(' ');

const entriesOfModes: Readonly<Record<ModeType, readonly PaletteEntry[]>> = {
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
  guided: [modeEntry('Guided', 'letter by letter', 'lessons learn keybr', { type: 'guided' })],
};

function timeEntry(seconds: number): PaletteEntry {
  return modeEntry('Time', `${seconds} seconds`, 'test timed timer', { type: 'time', seconds });
}

function wordsEntry(count: number): PaletteEntry {
  return modeEntry('Words', `${count} words`, '', { type: 'words', count });
}

function modeEntry(group: string, label: string, aliases: string, mode: Options['mode']): PaletteEntry {
  return entry(group, label, `mode ${aliases}`, { type: 'set', change: { mode } });
}

function languageEntries({ catalog }: Choices): PaletteEntry[] {
  return (catalog?.languages ?? []).map(({ id, name }) =>
    entry('Language', name, `${id} words`, { type: 'set', change: { language: id } }, englishName(id)),
  );
}

/** Those on which the letters of some language can be typed. */
function layoutEntries({ catalog }: Choices): PaletteEntry[] {
  const { languages = [], layouts = [] } = catalog ?? {};
  return layouts
    .filter(({ rows }) => languages.some(({ alphabet }) => missingLetters(alphabet, rows).length === 0))
    .map(({ id, name }) => entry('Layout', name, `${id} keyboard`, { type: 'set', change: { layout: id } }));
}

/** A path that was typed is a text to type. */
function textEntries(query: string): PaletteEntry[] {
  const file = query.trim();
  const isPath = /[/\\]/.test(file) || /\.\w{1,5}$/.test(file);
  return isPath ? [entry('Text', file, '', { type: 'text', file })] : [];
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

/** Whole words of a query; accents need not be typed. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[\s:,()]+/).filter((word) => word !== '');
}

/** 0 unless every word of the query is found. Among equal matches, the current choice comes last. */
function rankEntry(entry: PaletteEntry, terms: readonly string[], options: Options): number {
  const { group, label, secondName, aliases } = entry;
  const names = [group, label, secondName].map(wordsOf);
  const aliasWords = wordsOf(aliases);
  const ranks = terms.map((term) => rankTerm(names, aliasWords, term));
  if (ranks.includes(0)) return 0;
  // Its whole name was typed: the layout Dvorak comes before variants of it.
  const isWhole = [label, secondName].some(
    (name) => name !== '' && wordsOf(name).every((word) => terms.includes(word)),
  );
  const bonus = Number(isWhole) - Number(isCurrent(entry, options)) / 2;
  return ranks.reduce((sum, rank) => sum + rank, bonus);
}

/** A whole word of a name, or of the aliases; the beginning of a name, or of any word; a part of one. */
function rankTerm(names: readonly (readonly string[])[], aliases: readonly string[], term: string): number {
  const all = [...names.flat(), ...aliases];
  if (names.some((words) => words.includes(term))) return 20;
  if (aliases.includes(term)) return 15;
  if (names.some(([word]) => word?.startsWith(term))) return 10;
  if (all.some((word) => word.startsWith(term))) return 7;
  return all.some((word) => word.includes(term)) ? 5 : 0;
}

import type { KeptLayout } from '../../contract/own-layout.ts';
import { englishName } from '../../typing/letters/language.ts';
import { defaultMode, type ModeType, modes } from '../../typing/modes/mode.ts';
import type { Catalog } from '../link/answers.ts';
import { optionRows, valueName } from '../record/option-table.ts';
import type { Options } from '../record/options.ts';

/** What is typed into the palette, and the place among what it finds. */
export interface Palette {
  readonly query: string;
  readonly row: number;
  /** The next Enter gives up the round under way. */
  readonly isSure: boolean;
}

export const newPalette: Palette = { query: '', row: 0, isSure: false };

type Screen = 'options' | 'history' | 'help';

/** What choosing an entry does. */
export type PaletteChoice =
  | { readonly type: 'practise'; readonly change: Partial<Pick<Options, 'mode' | 'language' | 'layout'>> }
  | { readonly type: 'set'; readonly change: Partial<Options> }
  | { readonly type: 'text'; readonly file: string }
  /** `optionRow`: the option to put the cursor on. */
  | { readonly type: 'screen'; readonly screen: Screen; readonly optionRow?: number }
  /** Ends play; a round under way is kept. */
  | { readonly type: 'leave' }
  /** Done on the command line, not here. */
  | { readonly type: 'command'; readonly command: string };

export interface PaletteEntry {
  readonly group: string;
  readonly label: string;
  /** Another name, such as the English one of a language: as good as the label, and not shown. */
  readonly secondName?: string;
  /** What else people may type to find it. */
  readonly aliases: string;
  readonly choice: PaletteChoice;
}

/** What there is to choose from, beside what is always there. */
export interface Choices {
  readonly catalog: Catalog | undefined;
  readonly options: Options;
}

/**
 * The entries that a query finds, the best first. An empty one finds screens and options, then modes,
 * languages and layouts; the values of an option are found by typing.
 */
export function findEntries(choices: Choices, query: string): PaletteEntry[] {
  const terms = termsOf(query);
  const practice = [
    ...Object.values(entriesOfModes).flat(),
    ...languageEntries(choices),
    ...layoutEntries(choices),
  ];
  if (terms.length === 0)
    return [...screenEntries, ...optionEntries(choices), ...practice, ...commandEntries];
  const entries = [
    ...practice,
    ...valueEntries,
    ...(choices.options.ownTheme === null ? [] : [ownThemeEntry]),
    ...screenEntries,
    ...commandEntries,
    ...numberEntries(query),
  ];
  const ranked = entries.map((entry) => ({ entry, rank: rankEntry(entry, terms, choices) }));
  const best = ranked.filter(({ rank }) => rank > scatteredRank);
  const found = best.length > 0 ? best : ranked.filter(({ rank }) => rank > 0);
  return [
    ...textEntries(query),
    ...drillEntries(query),
    ...found.sort((a, b) => b.rank - a.rank).map(({ entry }) => entry),
  ];
}

/** Whether choosing it would change nothing. */
export function isCurrent({ choice }: PaletteEntry, options: Options): boolean {
  if (choice.type !== 'practise' && choice.type !== 'set') return false;
  return Object.entries(choice.change).every(
    ([key, value]) => JSON.stringify(value) === JSON.stringify(options[key as keyof Options]),
  );
}

const screenEntries: readonly PaletteEntry[] = [
  screenEntry(
    'History',
    'progress results statistics stats last previous old earlier today yesterday rounds scores heat map heatmap',
    { type: 'screen', screen: 'history' },
  ),
  screenEntry('Options', 'settings', { type: 'screen', screen: 'options' }),
  screenEntry('Help', 'keys', { type: 'screen', screen: 'help' }),
  screenEntry('Leave', 'exit quit close end stop', { type: 'leave' }),
];

function screenEntry(label: string, aliases: string, choice: PaletteChoice): PaletteEntry {
  return { group: 'Screen', label, aliases, choice };
}

/** One entry for each option, with its value: it opens the options screen there. */
function optionEntries({ options }: Choices): PaletteEntry[] {
  return optionRows.map((row, optionRow) => ({
    group: 'Option',
    label: `${row.label}: ${valueName(row, options[row.key])}`,
    aliases: '',
    choice: { type: 'screen', screen: 'options', optionRow },
  }));
}

const valueEntries: readonly PaletteEntry[] = optionRows.flatMap(
  ({ key, label, values, names, aliases = '' }) =>
    values.map((value, at) => ({
      group: label,
      label: names[at] ?? '',
      aliases: `option setting ${aliases}`,
      choice: { type: 'set', change: { [key]: value } } as const,
    })),
);

const ownThemeEntry: PaletteEntry = {
  group: 'Theme',
  label: 'your own',
  aliases: 'option colours colors',
  choice: { type: 'set', change: { theme: 'own' } },
};

const wordCounts = [10, 25, 30, 50, 100, 200];
const testSeconds = [15, 30, 60, 120, 300];
const codeLanguages = 'typescript javascript python go rust java c bash sql html css'.split(' ');

/** What people call the drills; a hyphen keeps `keys` alone for the help. */
const drillAliases = {
  letters: 'weak weakest weak-keys worst errors',
  bigrams: 'weak pairs',
  words: 'weak weakest worst errors',
} as const;

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
    modeEntry('Drill', on, `practise practice missed slow ${drillAliases[on]}`, { type: 'drill', on }),
  ),
  guided: [modeEntry('Guided', 'letter by letter', 'lessons learn keybr', { type: 'guided' })],
};

function timeEntry(seconds: number): PaletteEntry {
  const entry = modeEntry('Time', `${seconds} seconds`, 'test timed timer', { type: 'time', seconds });
  const minutes = seconds / 60;
  if (!Number.isInteger(minutes)) return entry;
  const secondName = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return { ...entry, secondName, aliases: `${entry.aliases} min` };
}

function wordsEntry(count: number): PaletteEntry {
  return modeEntry('Words', `${count} words`, '', { type: 'words', count });
}

function modeEntry(group: string, label: string, aliases: string, mode: Options['mode']): PaletteEntry {
  return { group, label, aliases: `mode ${aliases}`, choice: { type: 'practise', change: { mode } } };
}

function languageEntries({ catalog }: Choices): PaletteEntry[] {
  return (catalog?.languages ?? []).map(({ id, name }) => ({
    group: 'Language',
    label: name,
    secondName: englishName(id),
    aliases: `${id} words`,
    choice: { type: 'practise', change: { language: id } },
  }));
}

/** The custom layout, and those on which the letters of some language can be typed. */
function layoutEntries({ catalog, options: { ownLayout } }: Choices): PaletteEntry[] {
  const { languages = [], layouts = [] } = catalog ?? {};
  const alphabets = languages.flatMap(({ alphabet }) => alphabet ?? []);
  const canBeTyped = ({ rows }: Catalog['layouts'][number]) => {
    const keys = new Set(rows?.flat());
    return (
      rows === undefined || alphabets.some((letters) => [...letters].every((letter) => keys.has(letter)))
    );
  };
  return [
    ...(ownLayout === null ? [] : [ownLayoutEntry(ownLayout)]),
    ...layouts
      .filter((layout) => alphabets.length === 0 || canBeTyped(layout))
      .map(({ id, name }) => layoutEntry(id, name, `${id} keyboard`)),
  ];
}

function ownLayoutEntry({ id, layout }: KeptLayout): PaletteEntry {
  return layoutEntry(id, `${layout.name}, your own`, 'keyboard my own');
}

function layoutEntry(id: string, label: string, aliases: string): PaletteEntry {
  return { group: 'Layout', label, aliases, choice: { type: 'practise', change: { layout: id } } };
}

/** What is looked for here, and done on the command line. */
const commandEntries: readonly PaletteEntry[] = [
  commandEntry(
    'Text',
    'your own file: type its path here',
    'play --text FILE',
    'my own custom book novel open load',
  ),
  commandEntry('Layout', 'your own file', 'play --layout FILE.json', 'keyboard custom json my'),
  commandEntry('Import', 'rounds of monkeytype or keybr', 'import FILE', 'csv results'),
  commandEntry('Export', 'all your rounds', 'stats --export > rounds.jsonl', 'csv backup'),
  commandEntry('Profile', 'its own options, key and history', 'play --profile NAME', 'user account'),
  commandEntry('Card', 'a picture to share', 'stats --card card.svg', 'image results'),
  commandEntry('Server', 'play on another one', 'play --server URL', 'online'),
];

function commandEntry(group: string, label: string, command: string, aliases: string): PaletteEntry {
  return { group, label, aliases, choice: { type: 'command', command: `typebadge ${command}` } };
}

/** A path that was typed is a text to type. */
function textEntries(query: string): PaletteEntry[] {
  const file = query.trim();
  const isPath = /[/\\]/.test(file) || /\.\w{1,5}$/.test(file);
  return isPath ? [{ group: 'Text', label: file, aliases: 'file', choice: { type: 'text', file } }] : [];
}

/** A number that was typed is a length that the list does not have. */
function numberEntries(query: string): PaletteEntry[] {
  const number = Number(/\d+/.exec(query)?.[0] ?? 0);
  const seconds = /\d[\s-]*m/i.test(query) ? number * 60 : number;
  const { words, time, guided } = modes;
  return [
    ...(fits(seconds, time.parameters.seconds) && !testSeconds.includes(seconds) ? [timeEntry(seconds)] : []),
    ...(fits(number, words.parameters.count) && !wordCounts.includes(number) ? [wordsEntry(number)] : []),
    ...(fits(number, guided.parameters.target_wpm) ? [targetEntry(number)] : []),
  ];
}

function fits(number: number, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return number >= min && number <= max;
}

function targetEntry(wpm: number): PaletteEntry {
  return modeEntry('Guided', `target ${wpm} WPM`, 'speed', { type: 'guided', target_wpm: wpm });
}

const maxTargets = modes.drill.parameters.targets.max;

/** Letters or bigrams that were typed, such as `letters=bj` or `drill th he`. */
function drillEntries(query: string): PaletteEntry[] {
  const [, given = ''] =
    /^\s*(?:drill|letters|bigrams)[\s=:]+([\p{Ll}\s,]+)$/u.exec(query.normalize('NFC')) ?? [];
  const parts = given.split(/[\s,]+/).filter((part) => part !== '');
  const on =
    parts.length > 0 && parts.every(({ length }) => length === 2) && !/letters/.test(query)
      ? 'bigrams'
      : 'letters';
  const targets = [...new Set(on === 'bigrams' ? parts : parts.flatMap((part) => [...part]))];
  if (targets.length === 0 || targets.length > maxTargets) return [];
  return [modeEntry('Drill', `${on} ${given.trim()}`, '', { type: 'drill', on, targets })];
}

/** Of an entry in which some term is found as scattered letters only. */
const scatteredRank = 1;

/** As people say it: a 15-second test, yesterday's results. */
function termsOf(query: string): string[] {
  const terms = plain(query).split(/[\s-]+/);
  return terms.map((term) => term.replace(/['’]s$/, '')).filter(Boolean);
}

/**
 * Every term must be found, or it is 0. Several that are all of a name, in its order, mean that; a name of
 * which nothing is left comes before a longer one.
 */
function rankEntry(entry: PaletteEntry, terms: readonly string[], { options }: Choices): number {
  const { group, label, secondName = '', aliases } = entry;
  const names: Names = {
    group: wordsOf(group),
    label: wordsOf(`${label} ${secondName}`),
    first: [label, secondName].map((name) => wordsOf(name)[0] ?? ''),
    all: wordsOf(`${group} ${label} ${secondName} ${aliases}`),
  };
  const ranks = terms.map((term) => rankTerm(names, term));
  if (ranks.includes(0)) return 0;
  if (ranks.includes(scatteredRank)) return scatteredRank;
  const named = [label, secondName].map(termsOf).filter((name) => name.length > 0);
  const isNamed = terms.length > 1 && named.some((name) => name.join() === terms.join());
  const isWhole = named.some((name) => name.every((term) => terms.includes(term)));
  const rank = ranks.reduce((sum, each) => sum + each, (isNamed ? 53 : 3) + Number(isWhole));
  // People look for an option to change it, so its present value comes last.
  const isKept = terms.length > 0 && entry.choice.type === 'set' && isCurrent(entry, options);
  return isKept ? Math.max(scatteredRank + 1, rank - 45) : rank;
}

/** The words that an entry is found by; `all` has its aliases, too. */
interface Names {
  readonly group: readonly string[];
  readonly label: readonly string[];
  /** Words that a name begins with. */
  readonly first: readonly string[];
  readonly all: readonly string[];
}

function wordsOf(text: string): string[] {
  return plain(text).split(/[\s:,()]+/);
}

/** A whole word, then its beginning, a part of it, scattered letters; names before aliases. */
function rankTerm({ group, label, first, all }: Names, term: string): number {
  if (group.includes(term)) return 120;
  if (label.includes(term)) return 100;
  if (all.includes(term)) return 80;
  if (first.some((word) => word.startsWith(term))) return 60;
  if (group[0]?.startsWith(term)) return 55;
  if (all.some((word) => word.startsWith(term))) return 50;
  if (all.some((word) => word.includes(term))) return 20;
  return isScattered([...group, ...label].join(' '), term) ? scatteredRank : 0;
}

/** Letters left out of a name, which begins a word. */
function isScattered(names: string, term: string): boolean {
  return names.split(' ').some((_, at, all) => isScatteredFrom(all.slice(at).join(' '), term));
}

function isScatteredFrom(text: string, term: string): boolean {
  if (text[0] !== term[0]) return false;
  let at = 0;
  for (const letter of term) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Without capitals and accents, so that they need not be typed. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

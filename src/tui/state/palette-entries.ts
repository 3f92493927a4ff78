import type { KeptLayout } from '../../contract/own-layout.ts';
import type { Catalog, Offer } from '../link/session/catalog.ts';
import type { Options } from '../record/options.ts';
import type { HistoryDay } from './history-view.ts';
import { optionRows } from './option-rows.ts';

type Screen = 'options' | 'history' | 'help';

/** What choosing an entry of the palette does. */
export type PaletteChoice =
  | { readonly type: 'practise'; readonly change: Partial<Pick<Options, 'mode' | 'language' | 'layout'>> }
  | { readonly type: 'set'; readonly change: Partial<Options> }
  | { readonly type: 'text'; readonly file: string }
  | { readonly type: 'screen'; readonly screen: Screen }
  /** Ends play; a round under way is kept. */
  | { readonly type: 'leave' }
  /** The rounds of a day. */
  | { readonly type: 'day'; readonly day: HistoryDay }
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

const wordCounts = [10, 25, 30, 50, 100, 200];
const testSeconds = [15, 30, 60, 120, 300];
const codeLanguages = 'typescript javascript python go rust java c bash sql html css'.split(' ');

/** What people call the drills; a hyphen keeps `keys` alone for the help. */
const drillAliases = {
  letters: 'weak weakest weak-keys worst errors',
  bigrams: 'weak pairs',
  words: 'weak weakest worst errors',
} as const;

/** What there is to choose from, beside what is always there. */
export interface Choices {
  readonly catalog: Catalog | undefined;
  readonly options: Options;
}

/** Every mode, language, layout, option and screen there is. */
export function toPaletteEntries({ catalog, options: { ownLayout } }: Choices): PaletteEntry[] {
  const { languages = [], layouts = [] } = catalog ?? {};
  return [
    ...testSeconds.map(toTimeEntry),
    ...wordCounts.map(toWordsEntry),
    ...(['any', 'short', 'medium', 'long'] as const).map((length) =>
      toModeEntry('Quote', length, 'sentence text', { type: 'quote', length }),
    ),
    ...codeLanguages.map((language) => toModeEntry('Code', language, 'program', { type: 'code', language })),
    ...(['letters', 'bigrams', 'words'] as const).map((on) =>
      toModeEntry('Drill', on, `practise practice missed slow ${drillAliases[on]}`, { type: 'drill', on }),
    ),
    toModeEntry('Guided', 'letter by letter', 'lessons learn keybr', { type: 'guided' }),
    ...languages.map(toLanguageEntry),
    ...(ownLayout === null ? [] : [toOwnLayoutEntry(ownLayout)]),
    ...layouts.map(toLayoutEntry),
    ...optionRows.flatMap(({ key, label, values, names, aliases = '' }) =>
      values.map((value, at) => ({
        group: label,
        label: names[at] ?? '',
        aliases: `option setting ${aliases}`,
        choice: { type: 'set', change: { [key]: value } } as const,
      })),
    ),
    toScreenEntry(
      'History',
      'progress results statistics stats last previous old earlier rounds scores heat map heatmap',
      'history',
    ),
    toDayEntry('Yesterday', 'yesterday'),
    toDayEntry('Today', 'today'),
    toScreenEntry('Options', 'settings', 'options'),
    toScreenEntry('Help', 'keys', 'help'),
    { group: 'Screen', label: 'Leave', aliases: 'exit quit close end stop', choice: { type: 'leave' } },
    ...commandEntries,
  ];
}

/** What is looked for here, and done on the command line. */
const commandEntries: readonly PaletteEntry[] = [
  toCommandEntry(
    'Text',
    'a file of your own: type its path here',
    'typebadge play --text FILE',
    'my own custom book novel open load read',
  ),
  toCommandEntry(
    'Layout',
    'a file of your own',
    'typebadge play --layout FILE.json',
    'keyboard custom json my',
  ),
  toCommandEntry('Import', 'rounds of monkeytype or keybr', 'typebadge import FILE', 'csv results'),
  toCommandEntry('Export', 'all your rounds', 'typebadge stats --export > rounds.jsonl', 'csv backup'),
  toCommandEntry(
    'Profile',
    'options, key and history of its own',
    'typebadge play --profile NAME',
    'user account',
  ),
  toCommandEntry('Card', 'a picture to share', 'typebadge stats --card card.svg', 'image results'),
  toCommandEntry('Server', 'play on another one', 'typebadge play --server URL', 'online'),
];

function toCommandEntry(group: string, label: string, command: string, aliases: string): PaletteEntry {
  return { group, label, aliases, choice: { type: 'command', command } };
}

/** A path that was typed is a text to type. */
export function toTextEntries(query: string): PaletteEntry[] {
  const file = query.trim();
  const isPath = /[/\\]/.test(file) || /\.\w{1,5}$/.test(file);
  if (!isPath) return [];
  return [{ group: 'Text', label: file, aliases: 'file', choice: { type: 'text', file } }];
}

/** A number that was typed is a length of its own. */
export function toNumberEntries(query: string): PaletteEntry[] {
  const number = Number(/\d+/.exec(query)?.[0] ?? 0);
  const seconds = /\d[\s-]*m/i.test(query) ? number * 60 : number;
  return [
    ...(seconds >= 5 && seconds <= 600 && !testSeconds.includes(seconds) ? [toTimeEntry(seconds)] : []),
    ...(number >= 10 && number <= 200 && !wordCounts.includes(number) ? [toWordsEntry(number)] : []),
  ];
}

function toTimeEntry(seconds: number): PaletteEntry {
  const entry = toModeEntry('Time', `${seconds} seconds`, 'test timed timer', { type: 'time', seconds });
  const minutes = seconds / 60;
  if (!Number.isInteger(minutes)) return entry;
  return {
    ...entry,
    secondName: `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    aliases: `${entry.aliases} min`,
  };
}

function toWordsEntry(count: number): PaletteEntry {
  return toModeEntry('Words', `${count} words`, '', { type: 'words', count });
}

function toModeEntry(group: string, label: string, aliases: string, mode: Options['mode']): PaletteEntry {
  return { group, label, aliases: `mode ${aliases}`, choice: { type: 'practise', change: { mode } } };
}

let englishNames: Intl.DisplayNames | undefined;

function toLanguageEntry({ id, name }: Offer): PaletteEntry {
  return {
    group: 'Language',
    label: name,
    secondName: toEnglishName(id),
    aliases: `${id} words`,
    choice: { type: 'practise', change: { language: id } },
  };
}

/** What English calls a language, such as `German` for `de`. */
export function toEnglishName(id: string): string {
  englishNames ??= new Intl.DisplayNames(['en'], { type: 'language' });
  try {
    return englishNames.of(id) ?? id;
  } catch {
    return id;
  }
}

function toLayoutEntry({ id, name }: Offer): PaletteEntry {
  return {
    group: 'Layout',
    label: name,
    aliases: `${id} keyboard`,
    choice: { type: 'practise', change: { layout: id } },
  };
}

function toOwnLayoutEntry({ id, layout }: KeptLayout): PaletteEntry {
  const entry = toLayoutEntry({ id, name: `${layout.name}, your own` });
  return { ...entry, aliases: 'keyboard my own' };
}

function toScreenEntry(label: string, aliases: string, screen: Screen): PaletteEntry {
  return { group: 'Screen', label, aliases, choice: { type: 'screen', screen } };
}

function toDayEntry(label: string, day: HistoryDay): PaletteEntry {
  return { group: 'Screen', label, aliases: 'history results rounds day', choice: { type: 'day', day } };
}

/** Whether choosing it would change nothing. */
export function isCurrent({ choice }: PaletteEntry, options: Options): boolean {
  if (choice.type !== 'practise' && choice.type !== 'set') return false;
  return Object.entries(choice.change).every(
    ([key, value]) => JSON.stringify(value) === JSON.stringify(options[key as keyof Options]),
  );
}

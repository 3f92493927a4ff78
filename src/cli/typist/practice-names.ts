import { findSimilar } from '../../kit/similar-name.ts';
import { readLanguages } from '../../server/stores/languages.ts';
import { openLibrary, readLayouts } from '../../server/typing/library.ts';
import { englishName } from '../../typing/letters/language.ts';
import { modeNames, modes } from '../../typing/modes/mode.ts';
import { optionValues } from './option-flags.ts';

interface Named {
  readonly id: string;
  /** What else people call it. */
  readonly names: readonly string[];
}

/** The id of a language that was given by its id or by a name, such as `german` or `Deutsch`; else what was given. */
export function findLanguageId(given: string): string {
  return findNamed(given, namedLanguages()) ?? given;
}

/** The id of a layout that was given by its id or name, such as `Colemak DH`; else what was given. */
export function findLayoutId(given: string): string {
  return findNamed(given, namedLayouts()) ?? given;
}

export interface GivenNames {
  readonly language?: string | undefined;
  readonly layout?: string | undefined;
  readonly code?: string | undefined;
}

/** Whether `play` offers everything that is named. */
export function isOffered({ language, layout, code }: GivenNames): boolean {
  return (
    (language === undefined || findNamed(language, namedLanguages()) !== undefined) &&
    (layout === undefined || findNamed(layout, namedLayouts()) !== undefined) &&
    (code === undefined || findNamed(code, namedCodeLanguages()) !== undefined)
  );
}

/** What may have been meant by names that nobody knows, as a sentence after a space; empty where there is no guess. */
export function suggestion({ language, layout, code }: GivenNames): string {
  const guesses = [
    language === undefined ? undefined : guess('--language', language, namedLanguages()),
    layout === undefined ? undefined : guess('--layout', layout, namedLayouts()),
    code === undefined ? undefined : guess('--code', code, namedCodeLanguages()),
  ].filter((found) => found !== undefined);
  return guesses.length === 0 ? '' : ` Did you mean ${guesses.join(' ')}?`;
}

/** The flag that a language, a layout or a code language would be given with; undefined for anything else. */
export function findPracticeFlag(given: string): string | undefined {
  const flags = [
    ['--language', namedLanguages()],
    ['--layout', namedLayouts()],
    ['--code', namedCodeLanguages()],
  ] as const;
  for (const [flag, all] of flags) {
    const id = findNamed(given, all);
    if (id !== undefined) return `${flag} ${id}`;
  }
  return undefined;
}

/** Nothing for a name that is known: it is not the one to put right. */
function guess(flag: string, given: string, all: readonly Named[]): string | undefined {
  if (findNamed(given, all) !== undefined) return undefined;
  const near = findSimilar(
    given,
    all.flatMap(({ id, names }) => [id, ...names]),
  );
  const id = findBegun(given, all) ?? (near === undefined ? undefined : findNamed(near, all));
  return id === undefined ? undefined : `${flag} ${id}`;
}

/** The only one that has a name with this beginning: `ger` and `deu` are German. */
function findBegun(given: string, all: readonly Named[]): string | undefined {
  const beginning = plainName(given);
  if (beginning.length < 3) return undefined;
  const [found, ...others] = all.filter(({ names }) =>
    names.some((name) => plainName(name).startsWith(beginning)),
  );
  return others.length === 0 ? found?.id : undefined;
}

function findNamed(given: string, all: readonly Named[]): string | undefined {
  if (all.some(({ id }) => id === given)) return given;
  const wanted = plainName(given);
  return all.find(({ id, names }) => [id, ...names].some((name) => plainName(name) === wanted))?.id;
}

/** Without capitals, accents, blanks and hyphens. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function namedLanguages(): Named[] {
  return [...readLanguages().values()].map(({ id, name }) => ({ id, names: [name, englishName(id)] }));
}

function namedLayouts(): Named[] {
  return readLayouts().map(({ id, name }) => ({ id, names: [name] }));
}

function namedCodeLanguages(): Named[] {
  return openLibrary()
    .codeLanguages()
    .map((id) => ({ id, names: [] }));
}

/**
 * What a shell may offer for the options of `play` and `stats` whose values are too many, or too open, to be choices of the
 * option itself: the command and the option, such as `play --language`, to the values. The lists are read from the package.
 */
export function readPracticeValues(): Map<string, readonly string[]> {
  const languages = [...readLanguages().keys()];
  const layouts = readLayouts().map(({ id }) => id);
  const code = openLibrary().codeLanguages();
  return new Map([
    ['play --language', ['list', ...languages, ...languages.flatMap(oneWordNames)]],
    ['play --layout', ['list', ...layouts]],
    ['play --code', ['list', ...code]],
    ['play --quote', modes.quote.parameters.length.values],
    ['play --drill', modes.drill.parameters.on.values],
    ['play --time', ['15', '30', '60', '120']],
    ['play --words', ['10', '30', '50', '100']],
    ...optionValues().map(([flag, values]) => [`play ${flag}`, values] as const),
    ['stats --language', languages],
    ['stats --layout', layouts],
    ['stats --mode', [...usualModes, ...code.map((language) => `code-${language}`)]],
    ['stats --since', days],
    ['stats --until', days],
  ]);
}

/** The English name as a word that every shell takes: `german`. None for names of several words, or with accents. */
function oneWordNames(language: string): string[] {
  const name = englishName(language).toLowerCase();
  return /^[a-z]+$/.test(name) && name !== language ? [name] : [];
}

const days = ['today', 'yesterday', '7d', '30d'];

/** As rounds are recorded; other lengths can be typed in full. */
const usualModes = [
  ...['words-10', 'words-30', 'words-50', 'words-100'],
  ...['time-15', 'time-30', 'time-60', 'time-120'],
  ...modeNames.filter((name) => /^[a-z]+$/.test(name) && name !== 'all'),
];

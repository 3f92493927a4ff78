import { readLanguages } from '../../server/stores/languages.ts';
import { openLibrary, readLayouts } from '../../server/typing/library.ts';
import { englishName } from '../../typing/letters/language.ts';
import { modeNames, modes } from '../../typing/modes/mode.ts';
import { optionValues } from './option-flags.ts';

/** The id of a language given by its id or a name such as `german` or `Deutsch`; else the given text. */
export function findLanguageId(given: string): string {
  const languages = [...readLanguages().values()];
  return findId(
    given,
    languages.map(({ id, name }) => [id, name, englishName(id)]),
  );
}

/** The id of a layout given by its id or name, such as `Colemak DH`; else the given text. */
export function findLayoutId(given: string): string {
  return findId(
    given,
    readLayouts().map(({ id, name }) => [id, name]),
  );
}

/** @param all the id and the other names of each */
function findId(given: string, all: readonly (readonly [id: string, ...names: string[]])[]): string {
  const wanted = plainName(given);
  const isMeant = (names: readonly string[]) => names.some((name) => plainName(name) === wanted);
  return (all.find(([id]) => id === given) ?? all.find(isMeant))?.[0] ?? given;
}

/** Without capitals, accents, blanks and hyphens. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * What a shell may offer for the options of `play` and `stats` whose values are too many, or too open, to be
 * choices of the option itself: the command and the option, such as `play --language`, to the values. The
 * lists are read from the package.
 */
export function readPracticeValues(): Map<string, readonly string[]> {
  const languages = [...readLanguages().keys()];
  const layouts = readLayouts().map(({ id }) => id);
  const code = openLibrary().codeLanguages();
  return new Map([
    ['play --language', ['list', ...languages]],
    ['play --layout', ['list', ...layouts]],
    ['play --code', ['list', ...code]],
    ['play --quote', modes.quote.parameters.length.values],
    ['play --drill', modes.drill.parameters.on.values],
    ['play --time', ['15', '30', '60', '120']],
    ['play --words', ['10', '30', '50', '100']],
    ...optionValues().map(([flag, values]) => [`play ${flag}`, values] as const),
    ['stats --language', languages],
    ['stats --layout', layouts],
    ['stats --mode', [...commonModes, ...code.map((language) => `code-${language}`)]],
    ['stats --since', days],
    ['stats --until', days],
  ]);
}

const days = ['today', 'yesterday', '7d', '30d'];

/** As rounds are recorded; other lengths can be typed in full. */
const commonModes = [
  ...['words-10', 'words-30', 'words-50', 'words-100'],
  ...['time-15', 'time-30', 'time-60', 'time-120'],
  ...modeNames.filter((name) => /^[a-z]+$/.test(name) && name !== 'all'),
];

import { readLanguages } from '../../server/stores/languages.ts';
import { openLibrary, readLayouts } from '../../server/typing/library.ts';
import { englishName } from '../../typing/letters/language.ts';
import { optionValues } from './option-flags.ts';

/**
 * What a shell may offer for the options of `play` and `stats` whose values are too many, or too open, to be choices of the
 * option itself: the command and the option, such as `play --language`, to the values. The lists are read from the package.
 */
export function readPracticeValues(): Map<string, readonly string[]> {
  const languages = [...readLanguages().keys()];
  const layouts = readLayouts().map(({ id }) => id);
  const code = openLibrary().codeLanguages();
  return new Map([
    ['play --language', ['list', ...languages, ...languages.flatMap(toOneWord)]],
    ['play --layout', ['list', ...layouts]],
    ['play --code', ['list', ...code]],
    ['play --quote', ['short', 'medium', 'long', 'any']],
    ['play --drill', ['letters', 'bigrams', 'words']],
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
function toOneWord(language: string): string[] {
  const name = englishName(language).toLowerCase();
  return /^[a-z]+$/.test(name) && name !== language ? [name] : [];
}

const days = ['today', 'yesterday', '7d', '30d'];

/** As rounds are recorded; other lengths can be typed in full. */
const usualModes = [
  ...['words-10', 'words-30', 'words-50', 'words-100'],
  ...['time-15', 'time-30', 'time-60', 'time-120'],
  ...['quote', 'guided', 'text'],
];

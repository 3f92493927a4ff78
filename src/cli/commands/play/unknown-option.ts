import { toVisible } from '../../../kit/visible-text.ts';
import { findSimilar } from '../../program/similar-name.ts';

/** What people call modes and lists. */
const otherNames: Readonly<Record<string, string>> = {
  languages: '--language list',
  layouts: '--layout list',
  list: '--language list, --layout list or --code list',
  seconds: '--time 60',
  timed: '--time 60',
  timer: '--time 60',
  duration: '--time 60',
  test: '--time 60',
  minutes: '--time 2m',
  count: '--words 50',
  length: '--words 50',
  lesson: '--guided',
  lessons: '--guided',
  learn: '--guided',
  beginner: '--guided',
  practice: '--drill letters',
  practise: '--drill letters',
  weak: '--drill letters',
  ngrams: '--drill bigrams',
  file: '--text FILE',
  custom: '--text FILE',
  history: '"typebadge stats"',
  stats: '"typebadge stats"',
  results: '"typebadge stats"',
};

const modes: Readonly<Record<string, string>> = {
  words: '--words 50',
  time: '--time 60',
  quote: '--quote',
  code: '--code',
  text: '--text FILE',
  drill: '--drill letters',
  guided: '--guided',
};

/** Options that are tried with the name of a mode behind them. */
const modeOptions = ['mode', 'type', 'practice', 'practise', 'lesson', 'test'];

/**
 * What to say of an option that `play` does not have. People try `--lang`, `--dvorak` or `--mode time` before they read the
 * help.
 *
 * @param next the argument behind it
 * @param known the options that there are, such as `--language`
 */
export async function toUnknownOptionText(
  given: string,
  next: string | undefined,
  known: readonly string[],
): Promise<string> {
  const [flag = given, value = next] = given.split('=', 2);
  const meant = await findMeant(flag.replace(/^-+/, '').toLowerCase(), value?.toLowerCase() ?? '', known);
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `unknown option "${toVisible(given)}".${guess} (See "typebadge play --help".)`;
}

async function findMeant(word: string, value: string, known: readonly string[]): Promise<string | undefined> {
  if (word === '') return undefined;
  if (/^\d{1,3}s?$/.test(word)) return `--time ${Number.parseInt(word, 10)}`;
  if (modeOptions.includes(word) && Object.hasOwn(modes, value)) return modes[value];
  if (word === 'mode')
    return Object.values(modes)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
  if (Object.hasOwn(otherNames, word)) return otherNames[word];
  const { findPracticeFlag } = await import('../../typist/practice-names.ts');
  return (
    known.find((option) => word.length > 2 && option.startsWith(`--${word}`)) ??
    findPracticeFlag(word) ??
    findSimilar(`--${word}`, known)
  );
}

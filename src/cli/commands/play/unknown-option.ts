import { findSimilar } from '../../../kit/similar-name.ts';
import { toVisible } from '../../../kit/visible-text.ts';

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
  progress: '"typebadge stats"',
  yesterday: '"typebadge stats --since yesterday --until yesterday"',
};

/** Letters that people try for options, each of which takes a value. */
const shortNames: Readonly<Record<string, { readonly option: string; readonly usual: string }>> = {
  t: { option: '--time', usual: '60' },
  s: { option: '--time', usual: '60' },
  w: { option: '--words', usual: '50' },
  n: { option: '--words', usual: '50' },
  l: { option: '--language', usual: 'de' },
  c: { option: '--code', usual: 'python' },
  q: { option: '--quote', usual: 'short' },
  f: { option: '--text', usual: 'FILE' },
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
  const [word, plain] = [flag.replace(/^-+/, '').toLowerCase(), value?.toLowerCase() ?? ''];
  const meant = findShort(word, plain) ?? (await findMeant(word, plain, known));
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `unknown option "${toVisible(given)}".${guess} (See "typebadge play --help".)`;
}

function findShort(letter: string, value: string): string | undefined {
  const short = Object.hasOwn(shortNames, letter) ? shortNames[letter] : undefined;
  return short && `${short.option} ${toPlainValue(value) || short.usual}`;
}

/**
 * What to say of a word that is no file, such as `german`, `15` or the beginning of `time 60`: a sentence after a space, or
 * nothing where there is no guess.
 */
export async function toWordHint(given: string, next = ''): Promise<string> {
  const [word, value] = [given.toLowerCase(), next.toLowerCase()];
  const [, number] = /^(\d{1,3})$/.exec(word) ?? [];
  if (number !== undefined) return toNumberHint(Number(number), value);
  const meant = findMode(word, value) ?? (await findMeant(word, value, []));
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** A mode by its name, with the value behind it where it takes one. */
function findMode(word: string, value: string): string | undefined {
  if (!Object.hasOwn(modes, word)) return undefined;
  const isValue = word !== 'guided' && toPlainValue(value) !== '';
  return isValue ? `--${word} ${value}` : modes[word];
}

/** A number alone may be either; with its unit behind it, it is not. */
function toNumberHint(number: number, unit: string): string {
  const time = number >= 5 && number <= 600 && !unit.startsWith('w') ? [`--time ${number} (seconds)`] : [];
  const words = number >= 10 && number <= 200 && !unit.startsWith('s') ? [`--words ${number}`] : [];
  const guesses = unit.startsWith('m') ? [`--time ${number}m`] : [...time, ...words];
  return guesses.length === 0 ? '' : ` Did you mean ${guesses.join(' or ')}?`;
}

async function findMeant(word: string, value: string, known: readonly string[]): Promise<string | undefined> {
  if (word === '') return undefined;
  if (/^\d{1,3}(?:s|sec)?$/.test(word)) return `--time ${Number.parseInt(word, 10)}`;
  if (/^\d{1,2}m(?:in)?$/.test(word)) return `--time ${Number.parseInt(word, 10)}m`;
  if (modeOptions.includes(word) && Object.hasOwn(modes, value)) return modes[value];
  if (word === 'mode')
    return Object.values(modes)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
  if (Object.hasOwn(otherNames, word)) return otherNames[word];
  const { findPracticeFlag } = await import('../../typist/practice-names.ts');
  const joined = known.find((option) => word.startsWith(`${option.slice(2)}-`)); // such as --stop-on-letter
  if (joined !== undefined) return `${joined} ${toPlainValue(word.slice(joined.length - 1))}`.trim();
  const begun = known.find((option) => word.length > 2 && option.startsWith(`--${word}`));
  const option = begun ?? findPracticeFlag(word) ?? findSimilar(`--${word}`, known);
  const whole = value === '' ? undefined : findPracticeFlag(value); // such as --language de for --lang german
  return option !== undefined && whole?.startsWith(`${option} `) ? whole : option;
}

/** A value that can be repeated as it is; empty for any other. */
function toPlainValue(value: string): string {
  return /^[\w.]+$/.test(value) ? value : '';
}

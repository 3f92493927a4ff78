import { findSimilar } from '../../../kit/similar-name.ts';
import { toVisible } from '../../../kit/visible-text.ts';

/** What people try before they read the help. */
const otherNames: Readonly<Record<string, string>> = {
  today: '--since today',
  yesterday: '--since yesterday --until yesterday',
  week: '--since 7d',
  month: '--since 30d',
  year: '--since 365d',
  days: '--since 7d',
  from: '--since 2026-01-31',
  after: '--since 2026-01-31',
  to: '--until 2026-01-31',
  before: '--until 2026-01-31',
  lang: '--language',
  keyboard: '--layout',
  monkeytype: '--source monkeytype',
  keybr: '--source keybr',
  imported: '--source all',
  svg: '--card card.svg',
  png: '--card card.svg',
  file: '--export > rounds.jsonl',
};

/**
 * What to say of an argument that `stats` does not take: people try `yesterday`, `--german` or `time-60`.
 *
 * @param known the options that there are, such as `--since`
 */
export async function toUnknownArgumentText(given: string, known: readonly string[]): Promise<string> {
  const isOption = given.startsWith('-');
  const what = isOption ? 'unknown option' : 'stats takes options only, and got';
  const meant = await findMeant(given.replace(/^-+/, '').toLowerCase(), known);
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${what} "${toVisible(given)}".${guess} (See "typebadge stats --help".)`;
}

async function findMeant(word: string, known: readonly string[]): Promise<string | undefined> {
  if (word === '') return undefined;
  if (Object.hasOwn(otherNames, word)) return otherNames[word];
  if (/^(?:\d{4}-\d\d-\d\d|\d{1,4}[dw])$/.test(word)) return `--since ${word}`;
  if (/^(?:(?:words|time|code)-\w+|quote|guided|text)$/.test(word)) return `--mode ${word}`;
  const exact = known.find((option) => option === `--${word}`);
  if (exact !== undefined) return exact;
  const { findPracticeFlag } = await import('../../typist/practice-names.ts');
  const practice = findPracticeFlag(word)?.replace(/^--code /, '--mode code-');
  return practice ?? findSimilar(`--${word}`, known);
}

import { findSimilar } from '../../../kit/similar-name.ts';
import { visibleText } from '../../../kit/visible-text.ts';

/** @param known the options that there are, such as `--language` */
export async function unknownOptionText(given: string, known: readonly string[]): Promise<string> {
  const word = given.replace(/^-+|=.*$/g, '').toLowerCase();
  const begun = known.find((option) => word.length > 2 && option.startsWith(`--${word}`));
  const meant = begun ?? (await findMeant(word)) ?? findSimilar(`--${word}`, known);
  return `unknown option "${visibleText(given)}".${asked(meant)} (See "typebadge play --help".)`;
}

/** What may have been meant by a word such as `german` or `15`: a sentence after a space, or nothing. */
export async function wordHint(given: string): Promise<string> {
  return asked(await findMeant(given.toLowerCase()));
}

function asked(meant: string | undefined): string {
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

async function findMeant(word: string): Promise<string | undefined> {
  if (/^[1-9]\d{1,2}$/.test(word)) return `--time ${word} (seconds) or --words ${word}`;
  const { findPracticeFlag } = await import('../../typist/practice-names.ts');
  return word === '' ? undefined : findPracticeFlag(word);
}

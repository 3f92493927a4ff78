import { findSimilar } from '../../../kit/similar-name.ts';
import { visibleText } from '../../../kit/visible-text.ts';

/** @param known the options that there are, such as `--language` */
export async function unknownOptionText(given: string, known: readonly string[]): Promise<string> {
  const word = given.replace(/^-+|=.*$/g, '').toLowerCase();
  const begun = known.find((option) => word.length > 2 && option.startsWith(`--${word}`));
  const suggestion = begun ?? (await findSuggestion(word)) ?? findSimilar(`--${word}`, known);
  return `unknown option "${visibleText(given)}".${question(suggestion)} (See "typebadge play --help".)`;
}

/** A suggestion for a word that is not a file, such as `german`: a sentence after a space, or nothing. */
export async function wordHint(given: string): Promise<string> {
  return question(await findSuggestion(given.toLowerCase()));
}

function question(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
}

async function findSuggestion(word: string): Promise<string | undefined> {
  if (/^[1-9]\d{1,2}$/.test(word)) return `--time ${word} (seconds) or --words ${word}`;
  const { findPracticeFlag } = await import('../../typist/practice-names.ts');
  return word === '' ? undefined : findPracticeFlag(word);
}

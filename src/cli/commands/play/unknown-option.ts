import { toVisible } from '../../../kit/visible-text.ts';
import { findSimilar } from '../../program/similar-name.ts';

/**
 * What to say of an option that `play` does not have. People try `--lang`, `--dvorak` or `--15` before they read the help.
 *
 * @param known the options that there are, such as `--language`
 */
export async function toUnknownOptionText(given: string, known: readonly string[]): Promise<string> {
  const flag = given.split('=', 1)[0] ?? given;
  const meant = await findMeant(flag, known);
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `unknown option "${toVisible(given)}".${guess} (See "typebadge play --help".)`;
}

async function findMeant(flag: string, known: readonly string[]): Promise<string | undefined> {
  const word = flag.replace(/^-+/, '').toLowerCase();
  if (word === '') return undefined;
  if (/^\d{1,3}s?$/.test(word)) return `--time ${Number.parseInt(word, 10)}`;
  const { findPracticeFlag } = await import('./practice-names.ts');
  return (
    known.find((option) => word.length > 2 && option.startsWith(`--${word}`)) ??
    findPracticeFlag(word) ??
    findSimilar(`--${word}`, known)
  );
}

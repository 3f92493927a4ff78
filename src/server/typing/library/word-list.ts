import { readFileSync } from 'node:fs';
import { packageFile } from '../../../kit/package-files.ts';

/** The words of a language, most frequent first. */
export function readWordList(language = 'en'): string[] {
  return readFileSync(packageFile('content', 'words', `${language}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

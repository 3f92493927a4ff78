import { readFileSync } from 'node:fs';
import { packageFile } from '../package-files.ts';

/** The English words that rounds are made of: lower-case letters a to z only. */
export function readWordList(): string[] {
  return readFileSync(packageFile('content', 'words', 'english.txt'), 'utf8')
    .trimEnd()
    .split('\n');
}

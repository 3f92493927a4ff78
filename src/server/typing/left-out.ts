import { readFileSync } from 'node:fs';
import { packageFile } from '../../kit/package-files.ts';

/**
 * Reads content/words/left-out/<id>.txt: words that a list must not contain. Each line is `reason: words`;
 * continuation lines begin with a space, comments with `#`. `kill*` means every word that begins with `kill`,
 * except those in `keep`.
 */
export function readLeftOut(id: string) {
  const path = packageFile('content', 'words', 'left-out', `${id}.txt`);
  const whole = new Set<string>();
  const beginnings: string[] = [];
  const keep = new Set<string>();
  for (const line of readFileSync(path, 'utf8')
    .normalize('NFC')
    .replace(/^#.*\n/gm, '')
    .replace(/\n +/g, ' ')
    .trim()
    .split('\n')) {
    const [reason, ...words] = line.split(/:? +/);
    for (const word of words) {
      if (reason === 'keep') keep.add(word);
      else if (word.endsWith('*')) beginnings.push(word.slice(0, -1));
      else whole.add(word);
    }
  }
  return {
    isOut: (word: string) =>
      whole.has(word) || (!keep.has(word) && beginnings.some((beginning) => word.startsWith(beginning))),
    keep,
  };
}

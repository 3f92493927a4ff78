import { readFileSync } from 'node:fs';

export interface LeftOut {
  readonly out: ReadonlySet<string>;
  readonly keep: ReadonlySet<string>;
}

/** Reads left-out/<id>.txt: `reason: words` a line, further lines of a reason begin with a space, `#` is a comment. */
export function readLeftOut(id: string): LeftOut {
  const text = readFileSync(new URL(`left-out/${id}.txt`, import.meta.url), 'utf8').normalize('NFC');
  const out = new Set<string>();
  const keep = new Set<string>();
  for (const line of text
    .replace(/^#.*\n/gm, '')
    .replace(/\n +/g, ' ')
    .trim()
    .split('\n')) {
    const [reason, ...words] = line.split(/:? +/);
    for (const word of words) (reason === 'keep' ? keep : out).add(word);
  }
  return { out, keep };
}

/** Whether a word is for no school, by left-out/school.txt: `<language>: words` a line, and `kill*` means every word that begins with `kill`. */
export function createSchoolFilter(id: string): (word: string) => boolean {
  const text = readFileSync(new URL('left-out/school.txt', import.meta.url), 'utf8').normalize('NFC');
  const line = text.split('\n').find((each) => each.startsWith(`${id}: `)) ?? '';
  const parts = line.split(' ').slice(1);
  const whole = new Set(parts.filter((part) => !part.endsWith('*')));
  const beginnings = parts.filter((part) => part.endsWith('*')).map((part) => part.slice(0, -1));
  return (word) => whole.has(word) || beginnings.some((beginning) => word.startsWith(beginning));
}

/** "Hmm", "pst" and "nooo"; r and l are vowels enough for the Slavic languages. */
export function isCry(word: string): boolean {
  return /(.)\1\1/.test(word) || !/[aeiouyrlıæøœаеиоуыэюяєъαειουηω]/.test(withoutAccents(word));
}

/** Words without an accent that come after the same word with one. */
export function bareTwins(words: readonly string[]): Set<string> {
  const accented = new Set<string>();
  const bare = words.filter((word) => {
    const letters = withoutAccents(word);
    if (letters !== word) accented.add(letters);
    return letters === word && accented.has(word);
  });
  return new Set(bare);
}

function withoutAccents(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('і', 'и');
}

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

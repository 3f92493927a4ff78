/** What fewer words have cannot be drilled: the same words would come again and again. */
const fewestWords = 15;

/** The letters and pairs of letters that enough of these words have. Prepared once for a language: rare pairs are in few of thousands. */
export function toDrillableParts(words: readonly string[]): ReadonlySet<string> {
  const holders = new Map<string, number>();
  for (const word of new Set(words)) {
    for (const part of toParts(word)) holders.set(part, (holders.get(part) ?? 0) + 1);
  }
  return new Set([...holders].filter(([, count]) => count >= fewestWords).map(([part]) => part));
}

/** Each letter and pair of neighbouring letters, once. */
function toParts(word: string): Set<string> {
  const parts = new Set<string>();
  for (let at = 0; at < word.length; at++) {
    parts.add(word.charAt(at));
    if (at > 0) parts.add(word.slice(at - 1, at + 1));
  }
  return parts;
}

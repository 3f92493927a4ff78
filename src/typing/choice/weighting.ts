/** How much each text is preferred, as logarithms. What is missing counts as 0. */
export type Bias = ReadonlyMap<string, number>;

const none: Bias = new Map();

/**
 * Returns a function that gives words their weights: the plain ones times exp(sum of what is preferred in the
 * word). It visits every word of a language for each round, so letters are looked up by number.
 *
 * @param parts letters and pairs of letters, which count each time that a word has them
 * @param whole words, which count as a whole
 */
export function createWeighting(
  parts: Bias,
  whole: Bias = none,
): (words: readonly string[], plain: ArrayLike<number>) => Float64Array {
  const size = Math.max(0, ...[...parts.keys()].map((part) => part.charCodeAt(0))) + 1;
  const letters = new Float64Array(size);
  /** By their first letter; few letters begin one. */
  const pairs: (Map<number, number> | undefined)[] = new Array(size);
  for (const [part, strength] of parts) {
    const first = part.charCodeAt(0);
    if (part.length === 1) letters[first] = strength;
    else pairs[first] = (pairs[first] ?? new Map<number, number>()).set(part.charCodeAt(1), strength);
  }
  const strengthOf = (word: string) => {
    let sum = whole.get(word) ?? 0;
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      if (code >= size) continue;
      sum += letters[code] as number;
      sum += pairs[code]?.get(word.charCodeAt(at + 1)) ?? 0;
    }
    return sum;
  };
  return (words, plain) => {
    const weights = new Float64Array(words.length);
    for (let at = 0; at < weights.length; at++) {
      weights[at] = (plain[at] as number) * Math.exp(strengthOf(words[at] as string));
    }
    return weights;
  };
}

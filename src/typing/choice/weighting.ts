/**
 * How much words are preferred, as logarithms, by three kinds of keys: a letter and a pair of letters count
 * each time that a word has them, and a longer key is a word itself. What is missing counts as 0.
 */
export type Bias = ReadonlyMap<string, number>;

export function holderTest(keys: readonly string[]): (word: string) => boolean {
  const within = keys.filter((key) => key.length <= 2);
  const whole = new Set(keys.filter((key) => key.length > 2));
  return (word) => whole.has(word) || within.some((key) => word.includes(key));
}

/**
 * Returns a function that gives words their weights: the plain ones times exp(sum of what is preferred in the
 * word). It visits every word of a language for each round, so letters are looked up by number.
 */
export function createWeighting(
  bias: Bias,
): (words: readonly string[], plain: ArrayLike<number>) => Float64Array {
  const keys = [...bias.keys()];
  const codes = keys.filter(({ length }) => length <= 2).map((key) => key.charCodeAt(0));
  const size = Math.max(0, ...codes) + 1;
  const letters = new Float64Array(size);
  /** By their first letter; few letters begin one. */
  const pairs: (Map<number, number> | undefined)[] = new Array(size).fill(undefined);
  for (const [key, strength] of bias) {
    const first = key.charCodeAt(0);
    if (key.length === 1) letters[first] = strength;
    if (key.length !== 2) continue;
    const seconds = pairs[first] ?? new Map<number, number>();
    pairs[first] = seconds.set(key.charCodeAt(1), strength);
  }
  const hasWords = keys.some(({ length }) => length > 2);
  const strengthOf = (word: string) => {
    let sum = hasWords && word.length > 2 ? (bias.get(word) ?? 0) : 0;
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

// Numbers as people read them: the same everywhere in the client.

export function toOneDecimal(value: number): string {
  return value.toFixed(1);
}

/** Percent with one decimal, cut and not rounded: only a perfect round shows 100.0. */
export function toPercentText(percent: number): string {
  return (Math.floor(percent * 10 + 1e-9) / 10).toFixed(1);
}

export function toCountText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function toMilliseconds(value: number): string {
  return `${Math.round(value)} ms`;
}

/** An error as a sentence of its own. */
export function toSentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

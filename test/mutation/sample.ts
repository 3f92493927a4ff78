import { createHash } from 'node:crypto';

/** So many mutants in the random order that a seed gives to all of them: each is drawn with the same probability. */
export interface Sample {
  readonly seed: number;
  readonly size: number;
}

export function pick(ids: readonly string[], { seed, size }: Sample): Set<string> {
  const lots = new Map(ids.map((id) => [id, createHash('sha256').update(`${seed} ${id}`).digest('hex')]));
  const order = ids.toSorted((one, other) => ((lots.get(one) ?? '') < (lots.get(other) ?? '') ? -1 : 1));
  return new Set(order.slice(0, size));
}

/** Where the share of all lies with 95 % confidence, from the share of those drawn: the score interval of Wilson (1927). */
export function wilsonInterval(noticed: number, size: number): readonly [number, number] {
  const z = 1.96;
  const share = noticed / size;
  const middle = share + z ** 2 / (2 * size);
  const reach = z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2));
  const scale = 1 + z ** 2 / size;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

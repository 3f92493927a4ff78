import { createHash } from 'node:crypto';

/** A stretch of the random order that a seed gives to all mutants of a room. */
export interface Sample {
  readonly seed: number;
  /** Places in that order, from 0; `to` is the first that is not taken. */
  readonly from: number;
  readonly to: number;
}

/** Which mutants are run: those of a sample, or those with these ids. */
export type Choice = Sample | readonly string[];

export function choose(ids: readonly string[], choice: Choice): Set<string> {
  return 'seed' in choice ? pick(ids, choice) : new Set(choice);
}

/** Every mutant comes to every place with the same probability; the same ids and seed give the same order. */
export function pick(ids: readonly string[], { seed, from, to }: Sample): Set<string> {
  const drawn = ids.map((id) => ({ id, lot: createHash('sha256').update(`${seed} ${id}`).digest('hex') }));
  return new Set(
    drawn
      .sort((one, other) => (one.lot < other.lot ? -1 : 1))
      .slice(from, to)
      .map(({ id }) => id),
  );
}

/**
 * Where the share of all lies, with 95 % confidence, if `noticed` of `size` that were drawn one by one were noticed:
 * the score interval of Wilson (1927).
 */
export function toInterval(noticed: number, size: number): readonly [number, number] {
  if (size === 0) return [0, 1];
  const z = 1.96;
  const share = noticed / size;
  const middle = share + z ** 2 / (2 * size);
  const reach = z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2));
  const scale = 1 + z ** 2 / size;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

export type Coding = 'br' | 'gzip' | 'identity';

const knownWeights = new Map<string, ReadonlyMap<string, number>>();

/**
 * The best of the offered codings for this `Accept-Encoding` (RFC 9110, section 12.5.3): the highest q-value
 * wins, and among equals the first one in `offered`. If none is acceptable, the answer is in `identity`, as
 * the section allows, because a 406 would help nobody.
 */
export function selectCoding(accept: string | undefined, offered: readonly Coding[]): Coding {
  if (accept === undefined) return 'identity';
  const weights = weightsOf(accept);
  // Identity is acceptable even if it is not listed, but anything listed is preferred.
  let best: Coding = 'identity';
  let bestWeight = 0;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

/** Browsers send a handful of values, so parsed ones are cached; a flood of long ones takes less than 1 MB. */
function weightsOf(accept: string): ReadonlyMap<string, number> {
  let weights = knownWeights.get(accept);
  if (weights === undefined) {
    weights = parseWeights(accept);
    if (knownWeights.size >= 100) knownWeights.clear();
    knownWeights.set(accept, weights);
  }
  return weights;
}

/** Parses a list of tokens with optional q-values; malformed elements are ignored. */
export function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const parts = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(element);
    if (parts === null) continue;
    const name = (parts[1] as string).toLowerCase();
    weights.set(name === 'x-gzip' ? 'gzip' : name, parts[2] === undefined ? 1 : Number(parts[2]));
  }
  return weights;
}

/** Content codings that bodies are kept in. */
export type Coding = 'br' | 'gzip' | 'identity';

const remembered = new Map<string, ReadonlyMap<string, number>>();

/**
 * The best of the codings on offer for this `Accept-Encoding` (RFC 9110, section 12.5.3): the highest q-value wins, and
 * among equals the first one in `offered`. Where nothing on offer is acceptable the answer is `identity`, as
 * the section allows, rather than a 406 that helps nobody.
 */
export function selectCoding(accept: string | undefined, offered: readonly Coding[]): Coding {
  if (accept === undefined) return 'identity';
  const weights = weightsOf(accept);
  // Identity is acceptable though unnamed, but anything named is preferred to it.
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

/** Browsers send a handful of different values, so the parsed ones are kept; a flood of made-up ones empties the memory. */
function weightsOf(accept: string): ReadonlyMap<string, number> {
  let weights = remembered.get(accept);
  if (weights === undefined) {
    weights = parseWeights(accept);
    if (remembered.size >= 100) remembered.clear();
    if (accept.length <= 200) remembered.set(accept, weights);
  }
  return weights;
}

/** Reads a list of tokens with optional q-values; an element that is malformed counts as not there. */
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

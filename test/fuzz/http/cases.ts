import { createRandom, type Random } from '../random.ts';
import { mutations, spoilBytes } from './mutations.ts';
import { bytesOf, pickRequest } from './requests.ts';

/** How the client leaves: after the answer, at once but listening, without a word, or not at all. */
export type Ending = 'after-answer' | 'half-close' | 'reset' | 'hold';

export interface FuzzCase {
  readonly seed: number;
  readonly index: number;
  /** Of the servers under test, in their order. */
  readonly server: number;
  /** What is written to the socket, one write each. */
  readonly writes: readonly Buffer[];
  readonly ending: Ending;
  /** The address it comes from: limits are by client, and a single one would soon see nothing but 429. */
  readonly client: string;
}

/** The case of that seed and index, always the same. */
export function createCase(seed: number, index: number): FuzzCase {
  const random = createRandom(seed, index);
  let bytes = Buffer.concat(
    Array.from({ length: random.once(6) ? 2 + random.below(4) : 1 }, () => spoiledRequest(random)),
  );
  if (random.once(4))
    for (let left = 1 + random.below(4); left > 0; left -= 1) bytes = Buffer.from(spoilBytes(bytes, random));
  return {
    seed,
    index,
    server: index % 2,
    writes: random.once(4) ? piecesOf(bytes, random) : [bytes],
    ending: pickEnding(random),
    client: `127.${1 + random.below(250)}.${random.below(250)}.${1 + random.below(250)}`,
  };
}

/** One in six stays as it is: what is right must be answered among all that is not. */
function spoiledRequest(random: Random): Buffer {
  let request = pickRequest(random);
  const times = random.once(6) ? 0 : 1 + random.below(random.pick([1, 1, 3]));
  for (let left = times; left > 0; left -= 1) request = random.pick(mutations)(request, random);
  return bytesOf(request);
}

function piecesOf(bytes: Buffer, random: Random): Buffer[] {
  const size = Math.max(random.pick([3, 20, 100, 4_000]), Math.ceil(bytes.length / 12));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

function pickEnding(random: Random): Ending {
  if (random.once(300)) return 'hold';
  if (random.once(12)) return 'reset';
  return random.once(5) ? 'half-close' : 'after-answer';
}

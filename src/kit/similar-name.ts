/** Of the names, the one that a slip of the finger would turn into `given`; undefined where none is that close. */
export function findSimilar(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const most = Math.min(3, Math.floor(wanted.length * slipsPerCharacter));
  const near = names
    .map((name) => ({ name, slips: countSlips(wanted, name.toLowerCase(), most) }))
    .filter(({ slips }) => slips <= most);
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.name;
}

const slipsPerCharacter = 0.4;

/**
 * The fewest letters to add, to leave out, to replace or to swap with their neighbour that turn one word into the other
 * (optimal string alignment). Words whose lengths alone differ by more than `most` are not looked at.
 */
function countSlips(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1;
  let [before, above]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (above?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above?.[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, row];
  }
  return above?.[to.length] ?? 0;
}

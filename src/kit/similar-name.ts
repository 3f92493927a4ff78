/** The name that `text` is probably a misspelling of; undefined if none is close enough. */
export function findSimilar(text: string, names: readonly string[]): string | undefined {
  const wanted = text.toLowerCase();
  const maxEdits = Math.min(3, Math.floor(wanted.length * editsPerCharacter));
  const near = names
    .map((name) => ({ name, edits: editDistance(wanted, name.toLowerCase(), maxEdits) }))
    .filter(({ edits }) => edits <= maxEdits);
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.name;
}

const editsPerCharacter = 0.4;

/**
 * The fewest letters to add, remove, replace or swap with their neighbour that turn one word into the other
 * (optimal string alignment distance). Words whose lengths differ by more than `maxEdits` are not compared:
 * the result is then `maxEdits + 1`.
 */
function editDistance(from: string, to: string, maxEdits: number): number {
  if (Math.abs(from.length - to.length) > maxEdits) return maxEdits + 1;
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

import { type Finding, note, problem } from './finding.ts';

/** Variables that are not options of `serve`. */
const otherVariables = [
  'TYPEBADGE_STORE_PASSWORD',
  'TYPEBADGE_STORE_PASSWORD_FILE',
  'TYPEBADGE_STORE_CA_FILE',
  'TYPEBADGE_STORE_CERT_FILE',
  'TYPEBADGE_STORE_KEY_FILE',
  'TYPEBADGE_WEBHOOK_SECRET',
  'TYPEBADGE_WEBHOOK_SECRET_FILE',
  'TYPEBADGE_SERVER',
  'TYPEBADGE_TOKEN',
  'TYPEBADGE_EDITOR',
  'TYPEBADGE_PROFILE',
  'TYPEBADGE_DEBUG',
];

/** Letters that may be wrong for a name to count as misspelt. */
const mostMistakes = 3;

/** Names each variable that begins like ours and is not read, with the one that was probably meant. */
export function checkVariables(env: NodeJS.ProcessEnv, ofOptions: readonly string[]): Finding[] {
  const known = [...ofOptions, ...otherVariables];
  const unknown = Object.keys(env).filter((name) => /^TYPE/i.test(name) && !known.includes(name));
  return unknown.sort().flatMap((name) => {
    const message = `${name} is not a variable that typebadge reads.`;
    const meant = findClosest(name.toUpperCase(), known);
    if (meant !== undefined) return problem('settings', message, `Did you mean ${meant}?`);
    return name.startsWith('TYPEBADGE_') ? note('settings', message) : [];
  });
}

function findClosest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, mistakes: countMistakes(name, candidate) }))
    .sort((a, b) => a.mistakes - b.mistakes);
  const [first] = ranked;
  return first !== undefined && first.mistakes <= mostMistakes ? first.candidate : undefined;
}

/** Letters to insert, remove, replace or swap with their neighbour: the optimal string alignment distance. */
function countMistakes(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const ways = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        ...(isSwap ? [at(row - 2, column - 2) + 1] : []),
      ];
      rows[row]?.push(Math.min(...ways));
    }
  }
  return at(a.length, b.length);
}

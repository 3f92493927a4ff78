import { toInterval } from './sample.ts';

export type Verdict = 'killed' | 'timed out' | 'survived';

/** What became of a mutant. */
export interface Fate {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly verdict: Verdict;
  /** What was changed, and into what. */
  readonly change: string;
}

/** The score is the share of mutants that the tests noticed. */
export function toTable(fates: readonly Fate[]): string {
  const files = [...new Set(fates.map(({ file }) => file))].sort();
  return [
    '| File | Mutants | Killed | Timed out | Survived | Score |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...files.map((name) =>
      toRow(
        name,
        fates.filter(({ file }) => file === name),
      ),
    ),
    toRow('all', fates),
  ].join('\n');
}

function toRow(name: string, fates: readonly Fate[]): string {
  const [killed = 0, timedOut = 0, survived = 0] = (['killed', 'timed out', 'survived'] as const).map(
    (kind) => fates.filter(({ verdict }) => verdict === kind).length,
  );
  const score = fates.length === 0 ? '–' : `${((100 * (killed + timedOut)) / fates.length).toFixed(1)} %`;
  return `| ${name} | ${fates.length} | ${killed} | ${timedOut} | ${survived} | ${score} |`;
}

/** What a sample that was drawn mutant by mutant tells about all mutants. */
export function toEstimate(drawn: readonly Fate[]): string {
  const noticed = drawn.filter(({ verdict }) => verdict !== 'survived').length;
  const [score, least, most] = [
    noticed / Math.max(1, drawn.length),
    ...toInterval(noticed, drawn.length),
  ].map((share) => (100 * share).toFixed(1));
  return `Of ${drawn.length} drawn mutants, ${score} % were noticed; of all, between ${least} and ${most} % (95 % interval of Wilson).`;
}

export function toSurvivorList(fates: readonly Fate[]): string {
  const lines = fates
    .filter(({ verdict }) => verdict === 'survived')
    .map(({ file, line, column, change }) => `${file}:${line}:${column} ${change}`);
  return lines.length === 0 ? 'No mutant survived.' : ['Survivors:', ...lines].join('\n');
}

import { toInterval } from './sample.ts';

export type Verdict = 'killed' | 'timed out' | 'noticed later' | 'survived';

/** What became of a mutant. */
export interface Fate {
  /** The same as long as the code is the same. */
  readonly id: string;
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
    '| File | Mutants | Killed | Timed out | By slower tests | Survived | Score |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
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
  const counts = (['killed', 'timed out', 'noticed later', 'survived'] as const).map((kind) =>
    countOf(fates, kind),
  );
  const noticed = fates.length - countOf(fates, 'survived');
  const score = fates.length === 0 ? '–' : `${((100 * noticed) / fates.length).toFixed(1)} %`;
  return `| ${[name, fates.length, ...counts, score].join(' | ')} |`;
}

/** What a sample that was drawn mutant by mutant tells about all mutants. */
export function toEstimate(drawn: readonly Fate[]): string {
  const noticed = drawn.length - countOf(drawn, 'survived');
  const later = countOf(drawn, 'noticed later');
  const [score, least, most] = [
    noticed / Math.max(1, drawn.length),
    ...toInterval(noticed, drawn.length),
  ].map((share) => (100 * share).toFixed(1));
  return `Of ${drawn.length} drawn mutants, fast tests noticed ${noticed - later}, and slower ones ${later} of the others: ${score} %; of all, between ${least} and ${most} % (95 % interval of Wilson).`;
}

function countOf(fates: readonly Fate[], kind: Verdict): number {
  return fates.filter(({ verdict }) => verdict === kind).length;
}

export function toSurvivorList(fates: readonly Fate[]): string {
  const lines = fates
    .filter(({ verdict }) => verdict === 'survived')
    .map(({ file, line, column, change }) => `${file}:${line}:${column} ${change}`);
  return lines.length === 0 ? 'No mutant survived.' : ['Survivors:', ...lines].join('\n');
}

/** What was done with the rounds of a file. */
export interface ImportSummary {
  readonly program: string;
  readonly imported: number;
  /** When the first and the last of them were finished; null where there is none. */
  readonly from: string | null;
  readonly to: string | null;
  /** Of those imported, rounds that count for nothing, such as tests that were given up. */
  readonly notCounted: number;
  /** Rounds that were there before, or twice in the file. */
  readonly known: number;
  /** The first thousand of those that could not be taken, and how many there are. */
  readonly skipped: readonly { readonly place: string; readonly reason: string }[];
  readonly skippedCount: number;
  readonly isDryRun: boolean;
}

/** A longer list would help nobody. */
const mostShown = 10;

/** The report of an import, for people. */
export function toImportText(summary: ImportSummary): string {
  const { program, imported, known, skipped, skippedCount, notCounted, isDryRun } = summary;
  const where = program === 'typebadge' ? 'your record' : 'your record, apart from the rounds typed here';
  const done = isDryRun ? 'would be imported' : 'imported';
  const span = `, ${summary.from?.slice(0, 10)} to ${summary.to?.slice(0, 10)}`;
  return [
    imported === 0
      ? `No new rounds from ${program}.`
      : `${toRounds(imported)} from ${program} ${done} into ${where}${span}.`,
    ...(notCounted > 0
      ? [
          `${toRounds(notCounted)} of them ${notCounted === 1 ? 'does' : 'do'} not count: given up, drills, or faster than anyone types.`,
        ]
      : []),
    ...(known > 0 ? [`${toRounds(known)} already there: left unchanged.`] : []),
    ...(skippedCount > 0 ? [`${toRounds(skippedCount)} skipped:`] : []),
    ...skipped.slice(0, mostShown).map(({ place, reason }) => `  ${place}: ${reason}.`),
    ...(skippedCount > mostShown ? [`  and ${skippedCount - mostShown} more${hint(summary)}.`] : []),
    ...(imported > 0 && program !== 'typebadge'
      ? [`See them with: typebadge stats --source ${program}`]
      : []),
  ].join('\n');
}

function hint({ skipped, skippedCount }: ImportSummary): string {
  return skipped.length === skippedCount
    ? ' (--json lists all)'
    : ` (--json lists the first ${skipped.length})`;
}

function toRounds(count: number): string {
  return `${count} round${count === 1 ? '' : 's'}`;
}

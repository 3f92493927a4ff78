import { Command } from 'commander';
import { writeProblem } from '../../../kit/files/file-problem.ts';
import { withFolderLock } from '../../../kit/files/folder-lock.ts';
import { plural } from '../../../kit/terminal-text.ts';
import {
  appendImportedRounds,
  identityOf,
  readImportedRounds,
} from '../../../tui/progress/imported-rounds.ts';
import { makePrivateFolder, typistFolders } from '../../../tui/record/folders.ts';
import type { Invocation } from '../../program/command-io.ts';
import { presentIn, type Report, type ReportOptions } from '../../program/report.ts';
import { addLocalRounds, readLocalRounds } from '../../typist/local-rounds.ts';
import { parseProfileName, profileOption } from '../../typist/profile-option.ts';
import { type FoundRound, readRoundsFile } from './rounds-file.ts';

const notes = `
The file is recognised by what is in it:
  monkeytype   the results that its account page exports (CSV)
  keybr        typing-data.json of its profile page
  typebadge    what "stats --export" prints, on another computer or of a profile
Rounds of other programs are kept apart: "stats" shows them with --source, and they do not affect your bests, \
averages or choice of words. Importing a file again adds nothing.

Examples:
  $ typebadge import results.csv
  $ typebadge import typing-data.json --dry-run
  $ typebadge import rounds.jsonl --profile work`;

export function createImportCommand(invocation: Invocation): Command {
  const command = new Command('import')
    .description('Import the rounds that you typed in other programs, or on another computer.')
    .addHelpText('after', notes)
    .argument('<file>', 'what the other program exported')
    .option('--dry-run', 'show what would be imported, and change nothing')
    .option('--json', 'the report as JSON, for programs')
    .addOption(profileOption('import into this profile'))
    .option('--data <folder>', 'the folder used with "play --data"');
  return command.action((file: string) => {
    const options = command.opts<ImportOptions>();
    return presentIn(invocation, options, () => importRounds(file, options));
  });
}

interface ImportOptions extends ReportOptions {
  readonly data?: string;
  readonly profile?: string;
  readonly dryRun?: true;
}

/** Maximum number of problems that are reported to programs, and to people. */
const maxReasons = 1_000;
const maxShown = 10;

/**
 * Adds the rounds of a file to the typist's record: our own to the store, those of other programs to a file
 * beside it. Doing it again adds nothing.
 */
async function importRounds(path: string, options: ImportOptions): Promise<Report> {
  const { program, rounds, problems } = await readRoundsFile(path);
  const isDryRun = options.dryRun === true;
  const folder = typistFolders(options.data, parseProfileName(options.profile)).data;
  const warnings: string[] = [];
  const add = async () => {
    const found = await freshRounds(rounds, folder, options, warnings);
    if (isDryRun) return found;
    const own = found.flatMap(({ round }) => round ?? []);
    if (own.length > 0) await addLocalRounds(options, own);
    const foreign = found.flatMap(({ round, record }) => (round === undefined ? record : []));
    appendImportedRounds(folder, foreign);
    return found;
  };
  if (!isDryRun) makePrivateFolder(folder);
  // Under a lock: two imports at the same time would both find the same rounds new.
  const fresh = await (isDryRun ? add() : withFolderLock(folder, add)).catch((error: Error) => {
    if (!('syscall' in error)) throw error;
    throw new Error(`${folder} cannot be written to: ${writeProblem(error)}.`, { cause: error });
  });
  const moments = fresh.map(({ record }) => record.finished).sort();
  const value = {
    program,
    imported: fresh.length,
    from: moments[0] ?? null,
    to: moments.at(-1) ?? null,
    notCounted: fresh.filter(({ record }) => !record.counts).length,
    /** Rounds that were there before, or twice in the file. */
    known: rounds.length - fresh.length,
    skipped: problems.slice(0, maxReasons),
    skippedCount: problems.length,
    isDryRun,
  };
  return { value, text: () => importText(value), warnings, exitCode: rounds.length === 0 ? 1 : 0 };

  function importText({ imported, from, to, known, skipped, skippedCount }: typeof value): string {
    const isOwn = program === 'typebadge';
    const where = isOwn ? 'your record' : 'your record, apart from the rounds typed here';
    const done = `${isDryRun ? 'would be imported' : 'imported'} into ${where}`;
    const more = skippedCount - maxShown;
    return [
      imported === 0
        ? `No new rounds from ${program}.`
        : `${plural(imported, 'round')} from ${program} ${done}, ${from?.slice(0, 10)} to ${to?.slice(0, 10)}.`,
      ...(known > 0 ? [`${plural(known, 'round')} already there: left unchanged.`] : []),
      ...(skippedCount > 0 ? [`${plural(skippedCount, 'round')} skipped:`] : []),
      ...skipped.slice(0, maxShown).map(({ place, reason }) => `  ${place}: ${reason}.`),
      ...(more > 0 ? [`  and ${more} more (see --json).`] : []),
      ...(imported > 0 && !isOwn ? [`See them with: typebadge stats --source ${program}`] : []),
    ].join('\n');
  }
}

async function freshRounds(
  rounds: readonly FoundRound[],
  folder: string,
  options: ImportOptions,
  warnings: string[],
): Promise<readonly FoundRound[]> {
  const { records } = await readImportedRounds(folder);
  const own = rounds.some(({ round }) => round !== undefined) ? await readLocalRounds(options, warnings) : [];
  const known = new Set([...records.map(identityOf), ...own.map(({ id }) => id)]);
  return rounds.filter(({ record, round }) => {
    const identity = round?.id ?? identityOf(record);
    const isFresh = !known.has(identity);
    known.add(identity);
    return isFresh;
  });
}

import { withFolderLock } from '../../../kit/files/folder-lock.ts';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import { parseRoundLine } from '../../../server/stores/stored-round.ts';
import {
  appendImportedRounds,
  identityOf,
  readImportedRounds,
} from '../../../tui/progress/imported-rounds.ts';
import { parseRoundRecord } from '../../../tui/progress/round-record.ts';
import { makePrivateFolder, typistFolders } from '../../../tui/record/folders.ts';
import { RefusedError, UsageError } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';
import { addLocalRounds, readLocalRounds } from '../../typist/local-rounds.ts';
import { parseProfileName } from '../../typist/profile-option.ts';
import {
  type FoundRound,
  type FoundRounds,
  foundRounds,
  isKeybr,
  isMonkeytype,
  RoundProblem,
  readKeybr,
  readMonkeytype,
} from './foreign-rounds.ts';

export interface ImportOptions {
  readonly data?: string;
  readonly profile?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Maximum number of problems that are reported. */
const maxReasons = 1_000;

/**
 * Adds the rounds of a file to the typist's record: our own to the store, those of other programs to a file
 * beside it. Doing it again adds nothing.
 */
export async function importRounds(path: string, options: ImportOptions): Promise<Report> {
  const { program, rounds, problems } = await readImportFile(path);
  const isDryRun = options.dryRun === true;
  const folder = typistFolders(options.data, parseProfileName(options.profile)).data;
  const warnings: string[] = [];
  const find = () => freshOf(rounds, folder, options, warnings);
  const add = async () => {
    const found = await find();
    const own = found.flatMap(({ round }) => round ?? []);
    if (own.length > 0) await addLocalRounds(options, own);
    const foreign = found.flatMap(({ round, record }) => (round === undefined ? record : []));
    appendImportedRounds(folder, foreign);
    return found;
  };
  if (!isDryRun) makePrivateFolder(folder);
  // Under a lock: two imports at the same time would both find the same rounds new.
  const fresh = await (isDryRun ? find() : withFolderLock(folder, add));
  const moments = fresh.map(({ record }) => record.finished).sort();
  const summary: ImportSummary = {
    program,
    imported: fresh.length,
    from: moments[0] ?? null,
    to: moments.at(-1) ?? null,
    notCounted: fresh.filter(({ record }) => !record.counts).length,
    known: rounds.length - fresh.length,
    skipped: problems.slice(0, maxReasons),
    skippedCount: problems.length,
    isDryRun,
  };
  return { value: summary, text: () => importText(summary), warnings, exitCode: rounds.length === 0 ? 1 : 0 };
}

/** Twice what a typist of ten years exports; all of it is parsed at once. */
const maxFile = 64 * 1024 * 1024;

/** The file is recognised by what is in it. Rejects with one sentence if it has no known format. */
async function readImportFile(path: string): Promise<FoundRounds> {
  const name = `"${visibleText(path)}"`;
  const bytes = await readRegularFile(path, maxFile).catch((error: Error) => {
    throw new RefusedError(`${name} cannot be read: ${error.message}.`);
  });
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (isMonkeytype(text)) return readMonkeytype(text);
  if (isOwnExport(text)) return readOwnExport(text);
  if (isKeybr(text)) return readKeybr(text);
  throw new UsageError(
    `${name} is none of the files that can be imported: monkeytype's results (CSV), keybr's typing data (JSON), or the lines of "typebadge stats --export".`,
  );
}

/** The rounds that are not recorded yet, each once. */
async function freshOf(
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

/** What was done with the rounds of a file. */
export interface ImportSummary {
  readonly program: string;
  readonly imported: number;
  /** When the first and the last of them were finished; null if there is none. */
  readonly from: string | null;
  readonly to: string | null;
  /** Imported rounds that do not count, such as abandoned tests. */
  readonly notCounted: number;
  /** Rounds that were there before, or twice in the file. */
  readonly known: number;
  /** The first thousand rounds that were skipped, and how many there are. */
  readonly skipped: FoundRounds['problems'];
  readonly skippedCount: number;
  readonly isDryRun: boolean;
}

/** Maximum number of problems shown to people. */
const maxShown = 10;

/** The report of an import, for people. */
function importText({ program, imported, from, to, known, skipped, skippedCount, isDryRun }: ImportSummary) {
  const isOwn = program === 'typebadge';
  const where = isOwn ? 'your record' : 'your record, apart from the rounds typed here';
  const done = `${isDryRun ? 'would be imported' : 'imported'} into ${where}`;
  const span = `${from?.slice(0, 10)} to ${to?.slice(0, 10)}`;
  const shown = skipped.slice(0, maxShown);
  const more = skippedCount - shown.length;
  return [
    imported === 0
      ? `No new rounds from ${program}.`
      : `${plural(imported, 'round')} from ${program} ${done}, ${span}.`,
    ...(known > 0 ? [`${plural(known, 'round')} already there: left unchanged.`] : []),
    ...(skippedCount > 0 ? [`${plural(skippedCount, 'round')} skipped:`] : []),
    ...shown.map(({ place, reason }) => `  ${place}: ${reason}.`),
    ...(more > 0 ? [`  and ${more} more (see --json).`] : []),
    ...(imported > 0 && !isOwn ? [`See them with: typebadge stats --source ${program}`] : []),
  ].join('\n');
}

/** Whether the first line of a text is one that `stats --export` writes. */
function isOwnExport(text: string): boolean {
  return parseLine(text.slice(0, text.search(/[\r\n]|$/))) !== undefined;
}

function readOwnExport(text: string): FoundRounds {
  const items = text
    .split(/\r?\n/)
    .map((item, at) => ({ item, place: `line ${at + 1}` }))
    .filter(({ item }) => item.trim() !== '');
  return foundRounds('typebadge', items, (line) => {
    const found = parseLine(line);
    if (found === undefined) throw new RoundProblem('it is not a round of typebadge');
    return found;
  });
}

/** A line has a round of this program whole, or the figures of one of another program. */
function parseLine(line: string): FoundRound | undefined {
  const record = parseRoundRecord(line);
  if (record === undefined || record.source !== undefined) return record && { record };
  const { round } = JSON.parse(line) as { readonly round?: unknown };
  const parsed = parseRoundLine(JSON.stringify(round ?? null));
  return parsed && { record, round: parsed };
}

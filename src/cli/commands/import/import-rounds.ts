import { withFolderLock } from '../../../kit/files/folder-lock.ts';
import { makeOwnFolder, toFolders } from '../../../tui/record/folders.ts';
import {
  appendImportedRecords,
  appendRoundRecords,
  readRoundHistory,
} from '../../../tui/record/round-history.ts';
import { type RoundRecord, toIdentity } from '../../../tui/record/round-line.ts';
import { createProgressLine } from '../../output/progress-line.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';
import { toProfile } from '../../typist/profile-option.ts';
import type { FoundRounds } from './found-rounds.ts';
import { readImportFile } from './import-file.ts';
import { type ImportSummary, toImportText } from './import-text.ts';

export interface ImportOptions {
  readonly data?: string;
  readonly profile?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Adds the rounds of a file to the typist's record: those of other programs apart from their own. Doing it again adds nothing. */
export async function importRounds(path: string, options: ImportOptions, io: CommandIo): Promise<Report> {
  const { program, records, problems, skipped } = await readWithProgress(path, options, io);
  const folder = toFolders(options.data, toProfile(options.profile)).data;
  const isDryRun = options.dryRun === true;
  const fresh = isDryRun ? await findFresh(folder, records) : await keepFresh(folder, records);
  const moments = fresh.map(({ finished }) => finished).sort();
  const summary: ImportSummary = {
    program,
    imported: fresh.length,
    from: moments[0] ?? null,
    to: moments.at(-1) ?? null,
    notCounted: fresh.filter(({ counts }) => !counts).length,
    known: records.length - fresh.length,
    skipped: problems,
    skippedCount: skipped,
    isDryRun,
  };
  const hasNothing = records.length === 0;
  return { value: summary, toText: () => toImportText(summary), exitCode: hasNothing ? 1 : 0 };
}

/** Milliseconds after which it says how far it is. */
const patience = 1_000;

async function readWithProgress(path: string, { json }: ImportOptions, io: CommandIo): Promise<FoundRounds> {
  const line = createProgressLine<'reading'>(io.err, json !== true, patience);
  try {
    return await readImportFile(path, (done, total) => line.onProgress('reading', done, total));
  } finally {
    line.end();
  }
}

/** Under a lock: two imports at the same time would both find the same rounds new. */
async function keepFresh(folder: string, records: readonly RoundRecord[]): Promise<readonly RoundRecord[]> {
  makeOwnFolder(folder);
  return withFolderLock(folder, async () => {
    const fresh = await findFresh(folder, records);
    appendImportedRecords(
      folder,
      fresh.filter(({ source }) => source !== undefined),
    );
    appendRoundRecords(
      folder,
      fresh.filter(({ source }) => source === undefined),
    );
    return fresh;
  });
}

async function findFresh(folder: string, records: readonly RoundRecord[]): Promise<readonly RoundRecord[]> {
  const history = await readRoundHistory(folder);
  const known = new Set([...history.records, ...history.imported].map(toIdentity));
  const fresh: RoundRecord[] = [];
  for (const record of records) {
    const identity = toIdentity(record);
    if (known.has(identity)) continue;
    known.add(identity);
    fresh.push(record);
  }
  return fresh;
}

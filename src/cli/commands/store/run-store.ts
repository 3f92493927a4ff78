import { resolve } from 'node:path';
import { makeFolder } from '../../../kit/files/folder.ts';
import { newServeConfig, type ServeConfig } from '../../../server/settings/config.ts';
import { resolveContentFolder } from '../../../server/stores/files/content/content-folder.ts';
import { RefusedError, UsageError } from '../../program/command-errors.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report, ReportOptions } from '../../program/report.ts';
import { findSettingsProblem } from '../../serving/serve-problems.ts';
import { withSecrets } from '../../serving/store-secrets.ts';
import { compareContent, compareData } from './compare-data.ts';
import type { Copied } from './copied.ts';
import { exportCounts, importCounts } from './copy-counts.ts';
import { type CopyResult, copyData } from './copy-data.ts';
import type { DataTarget, FolderSide, StoreSide } from './data-side.ts';
import { openFolderSide } from './folder-side.ts';
import { refuseFolderBesideCopy } from './lost-content.ts';
import { createProgressLine } from './progress-bar.ts';
import { openStoreSide } from './store-side.ts';

type Setting = 'store' | 'storePrefix' | 'data' | 'content' | 'sessionTtl' | 'roundQuota' | 'keepRounds';

export interface StoreCommandOptions extends ReportOptions, Partial<Pick<ServeConfig, Setting>> {
  readonly isStoreOnCommandLine: boolean;
}

/** Differences that people get to see; programs get all. */
const mostShown = 20;

export function importIntoStore(options: StoreCommandOptions, io: CommandIo): Promise<Report> {
  return withSides(options, io, async ({ folder, store }) => {
    await refuseFolderBesideCopy(folder, store);
    return copy({
      ...{ source: folder, target: store, options, io },
      copyCounts: () => importCounts(folder.counts, store.counts),
    });
  });
}

export function exportFromStore(options: StoreCommandOptions, io: CommandIo): Promise<Report> {
  const work = async ({ folder, store }: Sides) => {
    await refuseOtherContent(folder, store);
    makeFolder(folder.content.name);
    return copy({
      ...{ source: store, target: folder, options, io },
      copyCounts: () => exportCounts(store.counts, folder.counts),
    });
  };
  return withSides(options, io, work, { makesFolder: true });
}

/** Before anything is copied: half of a store beside something else is a copy of neither. */
async function refuseOtherContent(folder: FolderSide, store: StoreSide): Promise<void> {
  const others = (await compareContent(folder, store)).filter(({ how }) => how === 'different');
  if (others.length === 0) return;
  const names = others.map(({ what }) => what).join(', ');
  throw new RefusedError(
    `${folder.content.name} already holds other content (${names}). Export into an empty folder (--content DIR), or move those files away first. Nothing was copied`,
  );
}

/** Exit code 1 where they differ. */
export function checkStoreData(options: StoreCommandOptions, io: CommandIo): Promise<Report> {
  return withSides(options, io, async ({ folder, store }) => {
    const differences = await compareData(folder, store);
    const isSame = differences.length === 0;
    const more = differences.length - mostShown;
    return {
      value: { same: isSame, differences, folder: folder.name, store: store.name },
      exitCode: isSame ? 0 : 1,
      toText: (paint) =>
        [
          ...differences.slice(0, mostShown).map(({ what, how }) => `  ${what}: ${how}`),
          ...(more > 0 ? [`  and ${more} more (--json has all)`] : []),
          isSame
            ? `${paint.good('✔')} ${store.name} holds what ${folder.name} does.`
            : `${paint.bad('✘')} ${differences.length} differences.`,
        ].join('\n'),
    };
  });
}

interface Sides {
  readonly folder: FolderSide;
  readonly store: StoreSide;
}

async function withSides(
  options: StoreCommandOptions,
  io: CommandIo,
  work: (sides: Sides) => Promise<Report>,
  { makesFolder = false }: { readonly makesFolder?: boolean } = {},
): Promise<Report> {
  const { isStoreOnCommandLine, json: _, ...given } = options;
  const config = newServeConfig(given);
  if (config.store === undefined)
    throw new UsageError('name the store, such as --store redis://127.0.0.1:6379; or set TYPEBADGE_STORE');
  const problem = findSettingsProblem(config, isStoreOnCommandLine);
  if (problem !== undefined) throw new UsageError(problem);
  const dataDir = resolve(io.cwd, config.data);
  const { dir } = await resolveContentFolder({
    ...{ content: config.content, env: io.env, cwd: io.cwd, onlyLooks: true, isOptional: makesFolder },
  });
  const address = withSecrets(config.store, io.env) ?? config.store;
  const store = await openStoreSide({
    ...{ ...config, address, prefix: config.storePrefix, now: io.now },
  });
  try {
    const expiredBefore = io.now() - config.sessionTtl;
    const folder = await openFolderSide({ dataDir, contentDir: dir, expiredBefore });
    const report = await work({ folder, store });
    await folder.close();
    return report;
  } finally {
    await store.close();
  }
}

interface Copying {
  readonly source: DataTarget;
  readonly target: DataTarget;
  readonly copyCounts: () => Promise<Copied>;
  readonly options: StoreCommandOptions;
  readonly io: CommandIo;
}

async function copy({ source, target, copyCounts, options, io }: Copying): Promise<Report> {
  const line = createProgressLine(io.err, options.json !== true);
  try {
    const { content, sessions, rounds, leftOut, kept } = await copyData(source, target, line.onProgress);
    const counters = await copyCounts();
    line.onProgress('counters', counters.found, counters.found);
    return {
      value: { from: source.name, to: target.name, content, sessions, rounds, counters, leftOut, kept },
      exitCode: leftOut.withoutRoom > 0 ? 1 : 0,
      toText: (paint) =>
        [
          `${leftOut.withoutRoom === 0 ? `${paint.good('✔')} Copied` : `${paint.bad('✘')} Copied in part`} from ${source.name} to ${target.name}:`,
          `  content   ${toText(content)}`,
          `  sessions  ${toText(sessions, leftOut.forgottenSessions)}`,
          `  rounds    ${toText(rounds, leftOut.forgotten + leftOut.expired + leftOut.withoutRoom)}`,
          `  counters  ${toText(counters)}`,
        ].join('\n'),
      warnings: [...kept, ...toLeftOutText(leftOut)],
    };
  } finally {
    line.end();
  }
}

function toText({ found, added }: Copied, leftOut = 0): string {
  const present = found - added - leftOut;
  const others = present === 0 ? '' : `, ${leftOut === 0 ? 'the others' : present} were there already`;
  return `${added} of ${found} added${others}${leftOut === 0 ? '' : `, ${leftOut} left out`}`;
}

function toLeftOutText({
  forgotten,
  forgottenSessions,
  expired,
  withoutRoom,
}: CopyResult['leftOut']): string[] {
  return [
    ...(forgotten + forgottenSessions > 0
      ? [
          `left out, because their players have had their data deleted since: ${forgotten} rounds and ${forgottenSessions} sessions`,
        ]
      : []),
    ...(expired > 0 ? [`left out, because they are older than --keep-rounds: ${expired} rounds`] : []),
    ...(withoutRoom > 0
      ? [
          `left out, because all rounds together would take more of the store than --round-quota allows: ${withoutRoom} rounds. Run import again with the --round-quota of the servers, or raise it for all of them`,
        ]
      : []),
  ];
}

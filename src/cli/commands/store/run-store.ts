import { resolve } from 'node:path';
import { makeFolder } from '../../../kit/files/folder.ts';
import { newServeConfig, type ServeConfig } from '../../../server/settings/config.ts';
import { resolveContentFolder } from '../../../server/stores/files/content/content-folder.ts';
import { RefusedError, UsageError } from '../../program/command-errors.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report, ReportOptions } from '../../program/report.ts';
import { findSettingsProblem } from '../../serving/serve-problems.ts';
import { withSecrets } from '../../serving/store-secrets.ts';
import { compareContent, compareData, withUnread } from './copy/compare-data.ts';
import { copyAll } from './copy/copy-all.ts';
import { refuseFolderBesideCopy } from './lost-content.ts';
import { exportCounts, importCounts } from './sides/copy-counts.ts';
import type { FolderSide, StoreSide } from './sides/data-side.ts';
import { openFolderSide } from './sides/folder-side.ts';
import { openStoreSide } from './sides/store-side.ts';
import { keepUnread, type UnreadData } from './sides/unread-data.ts';

type Setting = 'store' | 'storePrefix' | 'data' | 'content' | 'sessionTtl' | 'roundQuota' | 'keepRounds';

export interface StoreCommandOptions extends ReportOptions, Partial<Pick<ServeConfig, Setting>> {
  readonly isStoreOnCommandLine: boolean;
}

/** Differences that people get to see; programs get all. */
const mostShown = 20;

export function importIntoStore(options: StoreCommandOptions, io: CommandIo): Promise<Report> {
  return withSides(options, io, async ({ folder, store }) => {
    await refuseFolderBesideCopy(folder, store);
    return copyAll({
      ...{ source: folder, target: store, options, io },
      copyCounts: () => importCounts(folder.counts, store.counts),
      keepUnread: async () => [],
    });
  });
}

export function exportFromStore(options: StoreCommandOptions, io: CommandIo): Promise<Report> {
  const work = async ({ folder, store, unread }: Sides) => {
    await refuseOtherContent(folder, store);
    makeFolder(folder.content.name);
    return copyAll({
      ...{ source: store, target: folder, options, io },
      copyCounts: () => exportCounts(store.counts, folder.counts),
      keepUnread: () => Promise.all(unread.map((each) => keepUnread(folder.name, each))),
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
  return withSides(options, io, async ({ folder, store, unread }) => {
    const differences = withUnread(await compareData(folder, store), unread);
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
            : `${paint.bad('✘')} ${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}.`,
        ].join('\n'),
    };
  });
}

interface Sides {
  readonly folder: FolderSide;
  readonly store: StoreSide;
  /** What was found in the store so far and could not be read. */
  readonly unread: readonly UnreadData[];
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
  const unread: UnreadData[] = [];
  const store = await openStoreSide({
    ...{ ...config, address, prefix: config.storePrefix, now: io.now },
    onUnread: (each) => unread.push(each),
  });
  try {
    const expiredBefore = io.now() - config.sessionTtl;
    const folder = await openFolderSide({ dataDir, contentDir: dir, expiredBefore });
    const report = await work({ folder, store, unread });
    await folder.close();
    return report;
  } finally {
    await store.close();
  }
}

import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { parseEditorName } from '../../announcements/changes/change-log.ts';
import { isZone, toZoneSpelling } from '../../announcements/times/zone.ts';
import { safeText } from '../../kit/terminal-text.ts';
import { defaultDataFolder } from '../../server/settings/config.ts';
import { parseStore, parseStorePrefix } from '../../server/settings/config-parsers.ts';
import { resolveContentFolder } from '../../server/stores/content/content-folder.ts';
import { type ContentStore, createContentStore } from '../../server/stores/content/content-store.ts';
import { createFolderContent } from '../../server/stores/content/folder-content.ts';
import { type CommandIo, UsageError } from '../program/command-io.ts';
import type { ReportOptions } from '../program/report.ts';
import { withSecrets } from '../serving/secrets.ts';
import type { NamedStore } from './visited-store.ts';

/** Options of every command on the content. */
export interface ContentOptions extends ReportOptions, StoreOptions {
  readonly content?: string;
  readonly verbose?: boolean;
}

export interface OpeningOptions {
  /** Whether nothing is written, not even the sample into a new data folder. Default: false. */
  readonly onlyLooks?: boolean;
  /** Whether a given folder that is missing is made: only for a first change. Default: false. */
  readonly makesFolder?: boolean;
}

/** The content of the store that is named, else of the content folder. */
export async function openContent(
  options: ContentOptions,
  io: CommandIo,
  opening: OpeningOptions = {},
): Promise<ContentStore> {
  const store = storeOf(options, io.env);
  return store === undefined ? openFolder(options, io, opening) : openStore(store, options, io);
}

async function openStore(
  store: NamedStore,
  { verbose }: ContentOptions,
  io: CommandIo,
): Promise<ContentStore> {
  const { createVisitedStore } = await import('./visited-store.ts');
  const { content } = createVisitedStore(store);
  if (verbose) io.err.write(`Store: ${safeText(content.name)} (${store.reason})\n`);
  return createContentStore(content);
}

async function openFolder(
  { content, verbose }: ContentOptions,
  io: CommandIo,
  { onlyLooks = false, makesFolder = false }: OpeningOptions,
): Promise<ContentStore> {
  const { dir, reason, isNew } = await resolveContentFolder({
    ...{ content, env: io.env, cwd: io.cwd, onlyLooks, mustExist: !makesFolder },
  });
  if (verbose) io.err.write(`Content folder: ${safeText(dir)} (${reason})\n`);
  if (isNew && !onlyLooks) {
    io.err.write(
      `Note: The content folder ${safeText(dir)} is new and holds a sample announcement. To use another: --content.\n`,
    );
  }
  return createContentStore(createFolderContent(dir, { onNote: (note) => io.err.write(`Note: ${note}\n`) }));
}

/** Where servers of this user keep counters, sessions and marks, unless told otherwise. */
export function dataFolderOf(io: CommandIo): string {
  return resolve(io.cwd, io.env.TYPEBADGE_DATA || defaultDataFolder());
}

/** Who is in the log: `--by`, TYPEBADGE_EDITOR, else the user. */
export function editorOf({ by }: { readonly by?: string }, io: CommandIo): string {
  const parsed = parseEditorName(by ?? io.env.TYPEBADGE_EDITOR ?? readUserName());
  if ('name' in parsed) return parsed.name;
  throw new UsageError(`the name given with --by or TYPEBADGE_EDITOR ${parsed.problem}`);
}

function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // a container may run as a number without a name
  }
}

/** The name of the zone that the computer (or `TZ`) is set to; undefined where it is set to none that exists. */
function readLocalZone(): string | undefined {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone !== undefined && isZone(zone) && zone !== 'Etc/Unknown' ? zone : undefined;
}

/** The zone that `--zone` names, else the computer's own. */
export function zoneOf({ zone }: { readonly zone?: string | undefined }, io: CommandIo): string {
  const found = zone ?? readLocalZone();
  if (found === undefined) {
    throw new UsageError(
      `TZ names a time zone that does not exist (${io.env.TZ}); write one like Europe/Berlin, or UTC`,
    );
  }
  if (!isZone(found))
    throw new UsageError(`there is no time zone "${found}"; write one like Europe/Berlin, or UTC`);
  return toZoneSpelling(found);
}

/** Options that name a store. */
export interface StoreOptions {
  readonly store?: string;
  readonly storePrefix?: string;
}

const visiblePassword =
  'a password on the command line can be read by every user of this machine: set TYPEBADGE_STORE_PASSWORD or TYPEBADGE_STORE_PASSWORD_FILE instead';

/** The store of `--store`, or of TYPEBADGE_STORE where no folder is named; undefined where a folder is meant. */
export function storeOf(
  { store, storePrefix, content }: StoreOptions & { readonly content?: string },
  env: NodeJS.ProcessEnv,
): NamedStore | undefined {
  if (store !== undefined && content !== undefined)
    throw new UsageError('give --store or --content, not both: announcements are in one place');
  const url = store ?? (content === undefined ? env.TYPEBADGE_STORE || undefined : undefined);
  if (url === undefined) {
    if (storePrefix !== undefined) throw new UsageError('--store-prefix goes with --store');
    return undefined;
  }
  const address = checked(parseStore, url);
  if (store !== undefined && address.password !== undefined) throw new UsageError(visiblePassword);
  const prefix = checked(parseStorePrefix, storePrefix ?? (env.TYPEBADGE_STORE_PREFIX || 'typebadge'));
  return {
    address: withSecrets(address, env) ?? address,
    prefix,
    reason: store === undefined ? 'TYPEBADGE_STORE' : '--store',
  };
}

function checked<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readPulse } from '../../server/stores/pulse.ts';
import { createFileRecords, recordsFolder } from '../../server/stores/records/file-records.ts';
import { toTerminalText } from '../output/text-width.ts';
import { RefusedError, UsageError } from '../program/command-errors.ts';
import type { CommandIo } from '../program/command-io.ts';
import { checkServers } from '../servers/server-check.ts';
import { type ContentOptions, dataFolderOf, editorOf, openContent } from './content-access.ts';
import { type Counters, createDocumentsDesk } from './documents-desk.ts';
import type { Desk } from './port/desk.ts';
import type { FoundToken } from './server/desk-client.ts';
import { storeOf } from './store-access.ts';

/** Options of every command that works on a folder as on a server elsewhere. */
export interface DeskOptions extends ContentOptions {
  readonly server?: string;
  /** Author recorded in the log; not for a server, which knows whose token it is. */
  readonly by?: string;
  /** Where the counters of a server on this machine are. */
  readonly data?: string;
}

/** Options of every command that changes something. */
export interface EditorOptions extends DeskOptions {
  /** The time zone in which moments are meant and shown. */
  readonly zone?: string;
  readonly dryRun?: boolean;
}

/** The address of the server that is named by `--server` or TYPEBADGE_SERVER; undefined where a folder or a store is meant. */
export function serverOf({ server, content, store }: DeskOptions, { env }: CommandIo): string | undefined {
  const other = content === undefined ? '--store' : '--content';
  const isOther = content !== undefined || store !== undefined;
  if (server !== undefined && isOther)
    throw new UsageError(`give --server or ${other}, not both: announcements are in one place`);
  return server ?? (isOther ? undefined : env.TYPEBADGE_SERVER || undefined);
}

/** The desk that is meant: a server elsewhere, else a store, else the content folder. */
export async function openDesk(options: DeskOptions, io: CommandIo): Promise<Desk> {
  const server = serverOf(options, io);
  const desk =
    server === undefined ? await openDocuments(options, io) : await openServer(server, options, io);
  const loggedInAt = isNamed(options, io) ? undefined : await findLogin();
  return { ...desk, place: { ...desk.place, option: optionOf(options), loggedInAt } };
}

/** The option that says where the announcements are, for a command that goes on there. */
function optionOf({ server, store, content }: DeskOptions): readonly [string, string] | undefined {
  if (server !== undefined) return ['--server', server];
  if (store !== undefined) return ['--store', store];
  return content === undefined ? undefined : ['--content', content];
}

/** The given options that say where, by whom and in which time zone something is changed, as words of a command. */
export function repeatedOptions(options: EditorOptions): string[] {
  const { storePrefix, by, zone, dryRun } = options;
  const named = { '--store-prefix': storePrefix, '--by': by, '--zone': zone };
  const more = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return [...(optionOf(options) ?? []), ...more, ...(dryRun ? ['--dry-run'] : [])];
}

function isNamed(options: DeskOptions, { env }: CommandIo): boolean {
  const variables = [env.TYPEBADGE_SERVER, env.TYPEBADGE_STORE, env.TYPEBADGE_CONTENT];
  return optionOf(options) !== undefined || variables.some(Boolean);
}

/** A server where this user is logged in. */
async function findLogin(): Promise<string | undefined> {
  const { toFolders } = await import('../../tui/record/folders.ts');
  const { config } = toFolders();
  if (!existsSync(join(config, 'servers'))) return undefined;
  const { openKnownTokens } = await import('./server/known-tokens.ts');
  return (await openKnownTokens(config).list())[0]?.server;
}

async function openDocuments(options: DeskOptions, io: CommandIo): Promise<Desk> {
  // A name that cannot be one is wrong before anything is opened or made.
  if (options.by !== undefined) editorOf(options, io);
  const store = await openContent(options, io);
  return createDocumentsDesk({
    store,
    editor: () => editorOf(options, io),
    counters: await openCounters(options, io),
    views: (history) => checkServers(store.content, dataFolderOf(io), history, io),
    now: io.now,
  });
}

/** Those of the store that is named, else of the data folder. */
async function openCounters(options: DeskOptions, io: CommandIo): Promise<Counters> {
  const store = storeOf(options, io.env);
  if (store === undefined) {
    const dataDir = options.data === undefined ? dataFolderOf(io) : resolve(io.cwd, options.data);
    return {
      place: `in ${dataDir} (--data names another folder)`,
      read: (sinceDay) => readPulse(createFileRecords({ dir: recordsFolder(dataDir) }), sinceDay),
    };
  }
  if (options.data !== undefined)
    throw new UsageError('--data goes with a folder: the counters of a store are in it');
  const { createVisitedStore } = await import('./visited-store.ts');
  const { content, readPulse: read } = createVisitedStore(store);
  return { place: `in ${content.name}`, read };
}

async function openServer(server: string, options: DeskOptions, io: CommandIo): Promise<Desk> {
  if (options.by !== undefined)
    throw new UsageError('--by goes with a folder: a server records the name of your token');
  if (options.data !== undefined)
    throw new UsageError('--data goes with a folder: a server reads its own counters');
  const { parseServerAddress } = await import('./server/server-address.ts');
  const { createDeskClient } = await import('./server/desk-client.ts');
  const { createServerDesk } = await import('./server/server-desk.ts');
  const address = parseServerAddress(server);
  const found = await findToken(address, io);
  if (options.verbose) {
    const reason = options.server === undefined ? 'TYPEBADGE_SERVER' : '--server';
    io.err.write(`Server: ${toTerminalText(address)} (${reason})\n`);
  }
  return createServerDesk(address, createDeskClient(address, found));
}

async function findToken(server: string, { env }: CommandIo): Promise<FoundToken> {
  const { editorTokenPattern } = await import('../../contract/editor-token.ts');
  const { openKnownTokens } = await import('./server/known-tokens.ts');
  const { toFolders } = await import('../../tui/record/folders.ts');
  const given = env.TYPEBADGE_TOKEN?.trim();
  if (given !== undefined && given !== '') {
    if (editorTokenPattern.test(given)) return { token: given, from: 'variable' };
    throw new UsageError('TYPEBADGE_TOKEN does not hold the token of an editor (tbe_…)');
  }
  const known = await openKnownTokens(toFolders().config).find(server);
  if (known !== undefined) return { token: known.token, from: 'login' };
  throw new RefusedError(
    `you are not logged in to ${server}; do that first: typebadge login ${server} (the server's operator makes a token for you with typebadge editors add)`,
  );
}

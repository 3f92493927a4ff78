import { userInfo } from 'node:os';
import { relative, resolve } from 'node:path';
import { parseEditorName } from '../../announcements/changes/change-log.ts';
import { safeText } from '../../kit/terminal-text.ts';
import type { DeskApi } from '../../server/desk/desk-operations.ts';
import { HttpError } from '../../server/http/errors.ts';
import { defaultDataFolder } from '../../server/settings/config.ts';
import { parseStorePrefix } from '../../server/settings/config-parsers.ts';
import { parseStoreUrl } from '../../server/settings/store-url.ts';
import { ContentError } from '../../server/stores/content/content.ts';
import { fillContentFolder, findContentFolder } from '../../server/stores/content/content-folder.ts';
import { createContentStore } from '../../server/stores/content/content-store.ts';
import { createFolderContent } from '../../server/stores/content/folder-content.ts';
import type { PulseCount } from '../../server/stores/pulse.ts';
import { type CommandIo, parseGiven, UsageError } from '../program/command-io.ts';
import type { DeskOptions } from '../program/subcommand.ts';
import type { ServerView } from '../serving/running-servers.ts';
import { visiblePassword, withSecrets } from '../serving/serve-options.ts';
import { createDesk, type DeskPort, queryText } from './desk.ts';
import type { NamedStore } from './on-demand-store.ts';

export interface OpeningOptions {
  /** Whether nothing is written, not even the sample into a new data folder. Default: false. */
  readonly isReadOnly?: boolean;
  /** Whether a given folder that is missing is created: only for a first change. Default: false. */
  readonly makesFolder?: boolean;
}

/** The content of a store or a folder, with the API in this process. */
export async function openLocalDesk(options: DeskOptions, io: CommandIo, opening: OpeningOptions) {
  const editor = editorOf(options, io);
  const { content, readPulse } = await openContent(options, io, opening);
  const { createDeskApi } = await import('../../server/desk/desk-api.ts');
  const store = createContentStore(content);
  const path = relative(io.cwd, content.name);
  const isBelow = content.kind === 'folder' && path !== '' && !path.startsWith('..');
  return {
    ...createDesk(createLocalPort(createDeskApi({ store, readPulse, clock: io.now }), editor)),
    /** Path of the folder, or address of the store or the server. */
    name: content.name,
    /** Where a change is made: `on https://badge.example.org`, `in ./content; no running server of this data folder was found`. */
    where(servers: readonly ServerView[]) {
      const urls = servers.map(({ url }) => url).join(' and ');
      const served =
        urls === '' ? '; no running server of this data folder was found' : `, served at ${urls}`;
      return `in ${safeText(isBelow ? `./${path}` : content.name)}${served}`;
    },
    /** The servers that should show what there is now, and whether they do. */
    async views() {
      const { checkServers } = await import('../serving/running-servers.ts');
      return checkServers(content, dataFolderOf(io), await store.readHistory(), io);
    },
  };
}

/** Content and counters of the store that is named, else of the content folder and the data folder. */
export async function openContent(
  options: DeskOptions,
  io: CommandIo,
  { isReadOnly = false, makesFolder = false }: OpeningOptions = {},
) {
  const { content: folder, data, verbose = false } = options;
  const note = (text: string) => void io.err.write(`${safeText(text)}\n`);
  const store = storeOf(options, io.env);
  if (store !== undefined) {
    if (data !== undefined)
      throw new UsageError('--data goes with a folder: the counters of a store are in it');
    const opened = (await import('./on-demand-store.ts')).createOnDemandStore(store);
    const reason = options.store === undefined ? 'TYPEBADGE_STORE' : '--store';
    if (verbose) note(`Store: ${opened.content.name} (${reason})`);
    return opened;
  }
  const found = await findContentFolder({ content: folder, env: io.env, cwd: io.cwd });
  const { dir, reason } = found;
  if (found.state === 'missing' && found.isNamed && !makesFolder)
    throw new ContentError(
      `The content folder ${dir} (${reason}) does not exist. Correct its name, or create it: "typebadge serve --content ${dir}" and "typebadge announce publish" do that.`,
    );
  if (verbose) note(`Content folder: ${dir} (${reason})`);
  if (found.state === 'missing' && !isReadOnly) {
    await fillContentFolder(dir);
    note(
      `Note: The content folder ${dir} is new and holds a sample announcement. To use another: --content.`,
    );
  }
  return {
    content: createFolderContent(dir),
    async readPulse(sinceDay: string): Promise<readonly PulseCount[]> {
      const dataDir = data === undefined ? dataFolderOf(io) : resolve(io.cwd, data);
      const { readPulse } = await import('../../server/stores/pulse.ts');
      const { createFileRecords, recordsFolder } = await import(
        '../../server/stores/records/file-records.ts'
      );
      const onDamage = (message: string) => note(`Note: ${message}`);
      return readPulse(createFileRecords({ dir: recordsFolder(dataDir), onDamage }), sinceDay);
    },
  };
}

export function dataFolderOf(io: CommandIo): string {
  return resolve(io.cwd, io.env.TYPEBADGE_DATA || defaultDataFolder());
}

/** Who is in the log: `--by`, TYPEBADGE_EDITOR, else the user. */
function editorOf({ by }: DeskOptions, io: CommandIo): string {
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

/** The store of `--store`, or of TYPEBADGE_STORE if no folder is named; undefined if a folder is meant. */
function storeOf(
  { store, storePrefix, content }: DeskOptions,
  env: NodeJS.ProcessEnv,
): NamedStore | undefined {
  if (store !== undefined && content !== undefined)
    throw new UsageError('give --store or --content, not both: announcements are in one place');
  const url = store ?? (content === undefined ? env.TYPEBADGE_STORE || undefined : undefined);
  if (url === undefined) {
    if (storePrefix !== undefined) throw new UsageError('--store-prefix goes with --store');
    return undefined;
  }
  const address = parseGiven(parseStoreUrl, url);
  if (store !== undefined && address.password !== undefined) throw new UsageError(visiblePassword);
  const prefix = parseGiven(parseStorePrefix, storePrefix ?? (env.TYPEBADGE_STORE_PREFIX || 'typebadge'));
  return { address: withSecrets(address, env), prefix };
}

/**
 * The editors' API in this process. Passes on errors of the store, which say more than the answer of a
 * server may.
 *
 * @param editor the name in the log
 */
export function createLocalPort(api: DeskApi, editor: string): DeskPort {
  return async (operation, { id = '', query, body = {}, ifMatch }) => {
    try {
      const {
        status,
        body: answer,
        revision,
      } = await api[operation]({
        // No answer depends on the first two.
        ...{ method: '', path: '', idempotencyKey: undefined },
        ...{ id, query: queryText(query), ifMatch },
        // As it would arrive over HTTP: without fields that are undefined.
        body: JSON.parse(JSON.stringify(body)),
        editor: { name: editor, key: editor },
      });
      return { status, body: answer, headers: revision === undefined ? {} : { etag: `"${revision}"` } };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return { status: error.status, body: { ...error, error: error.message }, headers: {} };
    }
  };
}

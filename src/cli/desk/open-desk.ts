import { relative, resolve } from 'node:path';
import type { ApiResponse } from '../../contract/transport.ts';
import { safeText } from '../../kit/terminal-text.ts';
import type { ContentStore } from '../../server/stores/content/content-store.ts';
import type { PulseCount } from '../../server/stores/pulse.ts';
import { type CommandIo, UsageError } from '../program/command-io.ts';
import { type ChosenServer, chosenServer } from '../program/logins.ts';
import { shellWord } from '../program/quoted-words.ts';
import type { ServerView } from '../servers/running-servers.ts';
import {
  type ContentOptions,
  dataFolderOf,
  editorOf,
  type OpeningOptions,
  openContent,
  storeOf,
} from './content-access.ts';
import { createDesk, type Desk, ServerRefusal } from './desk.ts';

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

/** Where an editor works: on a content folder, on a store that servers share, or on a server elsewhere. */
export interface OpenDesk extends Desk {
  readonly place: DeskPlace;
  /** Whose counters `stats` reads, for a sentence: `in /data (--data names another folder)`. */
  readonly counters: string;
  /** The servers that should show what there is now, and whether they do. */
  views(): Promise<readonly ServerView[]>;
}

export async function openDesk(
  options: DeskOptions,
  io: CommandIo,
  opening: OpeningOptions = {},
): Promise<OpenDesk> {
  const chosen = await chosenServer(options, io.env, await configFolder());
  return chosen === undefined ? openLocalDesk(options, io, opening) : openServerDesk(chosen, options, io);
}

export async function configFolder(): Promise<string> {
  const { typistFolders } = await import('../../tui/record/folders.ts');
  return typistFolders().config;
}

/** The option that says where the announcements are, for a command that goes on there. */
function optionOf({ server, store, content }: DeskOptions): readonly [string, string] | undefined {
  if (server !== undefined) return ['--server', server];
  if (store !== undefined) return ['--store', store];
  return content === undefined ? undefined : ['--content', content];
}

/** The content of a store or a folder, with the API in this process. */
async function openLocalDesk(
  options: DeskOptions,
  io: CommandIo,
  opening: OpeningOptions,
): Promise<OpenDesk> {
  // A name that cannot be one is wrong before anything is opened or made.
  if (options.by !== undefined) editorOf(options, io);
  const store = await openContent(options, io, opening);
  const counters = await openCounters(options, io);
  const { createDeskApi } = await import('../../server/desk/desk-api.ts');
  const { createLocalTransport } = await import('./local-transport.ts');
  const { kind, name } = store.content;
  const api = createDeskApi({ store, readPulse: counters.read, clock: io.now });
  const transport = createLocalTransport(api, { editor: () => editorOf(options, io), clock: io.now });
  return {
    ...createDesk(transport, localRefusal),
    place: { kind, name, option: optionOf(options), cwd: io.cwd },
    counters: counters.place,
    views: () => findViews(store, io),
  };
}

async function findViews(store: ContentStore, io: CommandIo): Promise<readonly ServerView[]> {
  const { checkServers } = await import('../servers/running-servers.ts');
  return checkServers(store.content, dataFolderOf(io), await store.readHistory(), io);
}

interface Counters {
  /** Where they are, for a sentence. */
  readonly place: string;
  /** What was counted from that day (`YYYY-MM-DD`, UTC) on. */
  read(sinceDay: string): Promise<readonly PulseCount[]>;
}

/** Those of the store that is named, else of the data folder. */
async function openCounters(options: DeskOptions, io: CommandIo): Promise<Counters> {
  const store = storeOf(options, io.env);
  if (store === undefined) {
    const dataDir = options.data === undefined ? dataFolderOf(io) : resolve(io.cwd, options.data);
    return {
      place: `in ${dataDir} (--data names another folder)`,
      async read(sinceDay) {
        const { readPulse } = await import('../../server/stores/pulse.ts');
        const { createFileRecords, recordsFolder } = await import(
          '../../server/stores/records/file-records.ts'
        );
        return readPulse(createFileRecords({ dir: recordsFolder(dataDir) }), sinceDay);
      },
    };
  }
  if (options.data !== undefined)
    throw new UsageError('--data goes with a folder: the counters of a store are in it');
  const { createVisitedStore } = await import('./visited-store.ts');
  const { content, readPulse: read } = createVisitedStore(store);
  return { place: `in ${content.name}`, read };
}

function localRefusal({ body }: ApiResponse): Error {
  const { error, code } = body as { readonly error: string; readonly code: string };
  return new ServerRefusal(code, error);
}

async function openServerDesk(
  { server, reason }: ChosenServer,
  options: DeskOptions,
  io: CommandIo,
): Promise<OpenDesk> {
  if (options.by !== undefined)
    throw new UsageError('--by goes with a folder: a server records the name of your token');
  if (options.data !== undefined)
    throw new UsageError('--data goes with a folder: a server reads its own counters');
  const { openServer, findToken } = await import('./server-desk.ts');
  const { parseServerAddress } = await import('./server-address.ts');
  const address = parseServerAddress(server);
  if (options.verbose) io.err.write(`Server: ${safeText(address)} (${reason})\n`);
  return {
    ...openServer(address, await findToken(address, await configFolder(), io.env)),
    place: { kind: 'server', name: address, option: optionOf(options), cwd: io.cwd },
    counters: `of ${address}`,
    // It has answered, and reads what it has just written before it answers.
    views: async () => [{ url: address, content: null, shows: true, isSame: true, kind: 'folder' }],
  };
}

/** Names the announcements and their allow-list for reports. */
export interface DeskPlace {
  readonly kind: 'folder' | 'store' | 'server';
  /** Path of the folder, or address of the store or the server. */
  readonly name: string;
  /** The option that named it, such as `['--server', 'https://badge.example.org']`; undefined if no option did. */
  readonly option: readonly [name: string, value: string] | undefined;
  /** Of the command. */
  readonly cwd: string;
}

/** One line that names what was changed. */
export function describePlace({ kind, name }: DeskPlace): string {
  const nouns = { folder: 'Content folder', store: 'Content', server: 'Server' } as const;
  return `${nouns[kind]}: ${safeText(name)}`;
}

/** Where a change was made, within a sentence: `on https://badge.example.org`, `in ./content, no running server found`. */
export function describeWhere({ kind, name, cwd }: DeskPlace, servers: readonly ServerView[]): string {
  if (kind === 'server') return `on ${safeText(name)}`;
  const path = kind === 'folder' ? relative(cwd, name) : name;
  const isBelow = kind === 'folder' && path !== '' && !path.startsWith('..') && path !== name;
  const serving = servers.filter(({ isSame, content, shows }) => isSame || (content === null && shows));
  const urls = serving.map(({ url }) => url).join(' and ');
  const served = urls === '' ? 'no running server found' : `served at ${urls}`;
  return `in ${safeText(isBelow ? `./${path}` : name)}, ${served}`;
}

/** A command that works on the same announcements: a suggestion must not lead elsewhere. */
export function commandAt({ option }: DeskPlace, ...words: readonly string[]): string {
  return ['typebadge', ...words, ...(option ?? [])].map(shellWord).join(' ');
}

import { relative } from 'node:path';
import { safeText } from '../../kit/terminal-text.ts';
import { shellWord } from '../program/quoted-words.ts';
import type { ReportOptions } from '../program/report.ts';
import type { ServerView } from '../servers/running-servers.ts';
import type { Desk } from './desk.ts';

/** Options that name a store. */
export interface StoreOptions {
  readonly store?: string;
  readonly storePrefix?: string;
}

/** Options of every command on the content. */
export interface ContentOptions extends ReportOptions, StoreOptions {
  readonly content?: string;
  readonly verbose?: boolean;
}

export interface OpeningOptions {
  /** Whether nothing is written, not even the sample into a new data folder. Default: false. */
  readonly isReadOnly?: boolean;
  /** Whether a given folder that is missing is made: only for a first change. Default: false. */
  readonly makesFolder?: boolean;
}

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
  /** The servers that should show what there is now, and whether they do. */
  views(): Promise<readonly ServerView[]>;
}

/** The option that says where the announcements are, for a command that goes on there. */
export function placeOption({ server, store, content }: DeskOptions): readonly [string, string] | undefined {
  if (server !== undefined) return ['--server', server];
  if (store !== undefined) return ['--store', store];
  return content === undefined ? undefined : ['--content', content];
}

/** Names the announcements and their allow-list for reports. */
export interface DeskPlace {
  readonly kind: 'folder' | 'store' | 'server';
  /** Path of the folder, or address of the store or the server. */
  readonly name: string;
  /** The option that named it, such as `['--server', 'https://badge.example.org']`; undefined if none did. */
  readonly option: readonly [name: string, value: string] | undefined;
  /** Of the command. */
  readonly cwd: string;
}

/** Where a change was made: `on https://badge.example.org`, `in ./content, no running server found`. */
export function describeWhere({ kind, name, cwd }: DeskPlace, servers: readonly ServerView[]): string {
  if (kind === 'server') return `on ${safeText(name)}`;
  const path = kind === 'folder' ? relative(cwd, name) : name;
  const isBelow = kind === 'folder' && path !== '' && !path.startsWith('..') && path !== name;
  const urls = servers.map(({ url }) => url).join(' and ');
  const served = urls === '' ? 'no running server found' : `served at ${urls}`;
  return `in ${safeText(isBelow ? `./${path}` : name)}, ${served}`;
}

/** A command that works on the same announcements: a suggestion must not lead elsewhere. */
export function commandAt({ option }: DeskPlace, ...words: readonly string[]): string {
  return ['typebadge', ...words, ...(option ?? [])].map(shellWord).join(' ');
}

import { relative } from 'node:path';
import { toShellWord } from '../output/shell-word.ts';
import { toTerminalText } from '../output/text-width.ts';
import type { ServerView } from '../servers/server-check.ts';

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
  return `${nouns[kind]}: ${toTerminalText(name)}`;
}

/** Where a change was made, within a sentence: `on https://badge.example.org`, `in ./content, no running server found`. */
export function describeWhere({ kind, name, cwd }: DeskPlace, servers: readonly ServerView[]): string {
  if (kind === 'server') return `on ${toTerminalText(name)}`;
  const path = kind === 'folder' ? relative(cwd, name) : name;
  const isBelow = kind === 'folder' && path !== '' && !path.startsWith('..') && path !== name;
  const serving = servers.filter(({ isSame, content, shows }) => isSame || (content === null && shows));
  const urls = serving.map(({ url }) => url).join(' and ');
  const served = urls === '' ? 'no running server found' : `served at ${urls}`;
  return `in ${toTerminalText(isBelow ? `./${path}` : name)}, ${served}`;
}

/** A command that works on the same announcements: a suggestion must not lead elsewhere. */
export function toCommand({ option }: DeskPlace, ...words: readonly string[]): string {
  return ['typebadge', ...words, ...(option ?? [])].map(toShellWord).join(' ');
}

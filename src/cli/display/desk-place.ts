import { toShellWord } from '../output/shell-word.ts';
import { toTerminalText } from '../output/text-width.ts';

/** Names the announcements and their allow-list for reports. */
export interface DeskPlace {
  readonly kind: 'folder' | 'store' | 'server';
  /** Path of the folder, or address of the store or the server. */
  readonly name: string;
  /** The option that named it, such as `['--server', 'https://badge.example.org']`; undefined where no option did. */
  readonly option?: readonly [name: string, value: string] | undefined;
  /** Of a folder that nobody named: a server where this user is logged in, and may have meant. */
  readonly loggedInAt?: string | undefined;
}

/** One line that names what was changed. */
export function describePlace({ kind, name }: DeskPlace): string {
  const nouns = { folder: 'Content folder', store: 'Content', server: 'Server' } as const;
  return `${nouns[kind]}: ${toTerminalText(name)}`;
}

/** A command that works on the same announcements: a suggestion must not lead elsewhere. */
export function toCommand({ option }: DeskPlace, ...words: readonly string[]): string {
  return ['typebadge', ...words, ...(option ?? [])].map(toShellWord).join(' ');
}

/** Somebody who is logged in at a server may have forgotten to name it. */
export function warnOfPlace({ name, loggedInAt }: DeskPlace): string[] {
  if (loggedInAt === undefined) return [];
  return [
    `this is about the folder ${name} on this computer, not about ${loggedInAt}, where you are logged in; for that server, add --server ${loggedInAt} or set TYPEBADGE_SERVER`,
  ];
}

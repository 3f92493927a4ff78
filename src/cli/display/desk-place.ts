import { toTerminalText } from '../output/text-width.ts';

/** Names the announcements and their allow-list for reports. */
export interface DeskPlace {
  readonly kind: 'folder' | 'store' | 'server';
  /** Path of the folder, or address of the store or the server. */
  readonly name: string;
}

/** One line that names what was changed. */
export function describePlace({ kind, name }: DeskPlace): string {
  const nouns = { folder: 'Content folder', store: 'Content', server: 'Server' } as const;
  return `${nouns[kind]}: ${toTerminalText(name)}`;
}

import type { CommandIo } from '../program/command-io.ts';
import { chosenServer } from '../program/logins.ts';
import type { DeskOptions, OpenDesk, OpeningOptions } from './desk-place.ts';

/** Where the options, the variables or the last login say; only what reaches that place is loaded. */
export async function openDesk(
  options: DeskOptions,
  io: CommandIo,
  opening: OpeningOptions = {},
): Promise<OpenDesk> {
  const configDir = await configFolder();
  const chosen = await chosenServer(options, io.env, configDir);
  if (chosen === undefined) return (await import('./local-desk.ts')).openLocalDesk(options, io, opening);
  return (await import('./server-desk.ts')).openServerDesk(chosen, options, io, configDir);
}

export async function configFolder(): Promise<string> {
  const { typistFolders } = await import('../../tui/record/folders.ts');
  return typistFolders().config;
}

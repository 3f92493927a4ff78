import { Command } from 'commander';
import { toTerm } from '../../program/subcommand.ts';
import { createChangingCommands } from './changing-commands.ts';
import { createFolderCommands } from './folder-commands.ts';
import { createReadingCommands } from './reading-commands.ts';

const overview = `
Every change is recorded ("announce log") and can be undone ("announce undo").
A running server shows it within a second, and readers see it at their next
page view (behind a CDN, within 15 minutes).
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Examples:
  $ typebadge announce publish "We have moved" --link https://example.org/moved
  $ typebadge announce list
  $ typebadge announce undo`;

/** `typebadge announce …`: only names and options; what a command does is loaded when it is asked for. */
export function createAnnounceCommand(): Command {
  const announce = new Command('announce')
    .configureHelp({ subcommandTerm: toTerm })
    .description('Publishes announcements on the badge, changes them, and undoes changes.')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', overview);
  for (const command of [
    ...createChangingCommands(),
    ...createReadingCommands(),
    ...createFolderCommands(),
  ]) {
    announce.addCommand(command);
  }
  return announce;
}

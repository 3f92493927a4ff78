import { Command } from 'commander';
import { newProcessIo } from '../../program/command-io.ts';
import { present } from '../../program/report.ts';
import { readSettings, watchOptions } from './settings.ts';

const notes = `
Takes the options and environment variables of "typebadge serve", shows each setting and where it comes from,
and tries what the server would need: folders, content, store, ports. Nothing is changed; passwords are not
shown. Exit codes: 0 nothing is wrong, 1 something is (the report says how to fix it), 2 wrong usage.

Examples:
  $ typebadge doctor
  $ typebadge doctor --port 9000 --store redis://127.0.0.1:6379
  $ typebadge doctor --json`;

export function createDoctorCommand(): Command {
  const command = new Command('doctor')
    .description('Checks a server’s settings and environment, and says how to fix what is wrong.')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', notes);
  const watched = watchOptions();
  for (const option of watched.options) command.addOption(option);
  command.option('--json', 'print the result as JSON, for programs');
  return command.action(async () => {
    const { json = false, ...given } = command.opts<Record<string, unknown> & { json?: boolean }>();
    const io = newProcessIo();
    process.exitCode = await present(io, { json }, async () => {
      const settings = readSettings(watched, given, (name) => command.getOptionValueSource(name), io.env);
      const { examine } = await import('./examine.ts');
      return examine(settings, io);
    });
  });
}

import { Command, Option } from 'commander';
import type { Invocation } from '../../program/command-io.ts';
import { presentIn } from '../../program/report.ts';
import { profileOption } from '../../typist/profile-option.ts';
import type { ImportOptions } from './import-rounds.ts';

const notes = `
The file is recognised by what is in it:
  monkeytype   the results that its account page exports (CSV)
  keybr        typing-data.json of its profile page
  typebadge    the lines of "typebadge stats --export", from another computer or profile
Rounds of other programs are kept apart: "stats" shows them with --source, and they do not affect your bests,
averages or choice of words. Importing a file again adds nothing.

Examples:
  $ typebadge import results.csv
  $ typebadge import typing-data.json --dry-run
  $ typebadge import rounds.jsonl --profile work`;

export function createImportCommand(invocation: Invocation): Command {
  const command = new Command('import')
    .description('Imports the rounds that you typed in other programs, or on another computer.')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', notes)
    .argument('<file>', 'what the other program exported')
    .addOption(new Option('--dry-run', 'show what would be imported, and change nothing'))
    .addOption(new Option('--json', 'the report as JSON, for programs'))
    .addOption(profileOption('import into this profile'))
    .addOption(new Option('--data <folder>', 'the folder used with "play --data"'));
  return command.action(async (file: string) => {
    const options = command.opts<ImportOptions>();
    const { importRounds } = await import('./import-rounds.ts');
    await presentIn(invocation, { json: options.json }, () => importRounds(file, options));
  });
}

import { Command, Option } from 'commander';
import type { StatsCommandOptions } from './print-stats.ts';

const examples = `
The figures are those of "typebadge play" on this computer: every round that was finished, also without a server.
WPM counts the spaces between words (standard WPM); rounds of earlier versions are converted.
A trend or a change is named only where chance cannot explain it.

Examples:
  $ typebadge stats
  $ typebadge stats --json | jq '.days[-1]'
  $ typebadge stats --csv > rounds.csv`;

export function createStatsCommand(): Command {
  const command = new Command('stats')
    .description('Your typing progress: days, trends, letters and fingers over time.')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples)
    .addOption(new Option('--json', 'everything as one JSON object').conflicts('csv'))
    .addOption(new Option('--csv', 'one line per round, for a spreadsheet'))
    .addOption(new Option('--data <folder>', 'the folder that was given to "play --data"'));
  return command.action(async () => {
    const { printStats } = await import('./print-stats.ts');
    await printStats(command.opts<StatsCommandOptions>());
  });
}

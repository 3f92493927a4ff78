import { Command, Option } from 'commander';
import type { Invocation } from '../../program/command-io.ts';
import { profileOption } from '../../typist/profile-option.ts';

const examples = `
The results come from "typebadge play" on this computer: every finished round, with or without a server.
They cover the latest kind (mode, language, layout) that matches the filters; other kinds are listed beside \
it. --csv and --export have the rounds of every kind that matches.
WPM counts the spaces between words (standard WPM); in --csv and --export the column wpm does not count them.
A letter is named for practice only if chance cannot explain its errors.

Examples:
  $ typebadge stats
  $ typebadge stats --mode time-60 --language de --since 2026-01-01
  $ typebadge stats --since yesterday --until yesterday
  $ typebadge stats --source monkeytype
  $ typebadge stats --json | jq '.days[-1]'
  $ typebadge stats --card card.svg
  $ typebadge stats --csv > rounds.csv
  $ typebadge stats --export > rounds.jsonl`;

export function createStatsCommand({ io }: Invocation): Command {
  const command = new Command('stats')
    .description('Show your typing progress: days, trends and letters over time.')
    .addHelpText('after', examples)
    .action(async () => (await import('./print-stats.ts')).printStats(command.opts(), io));
  const options = [
    new Option('--mode <name>', 'only this mode, such as words-30, time-60, quote or code-python'),
    new Option('--language <name>', 'only this language, such as de or german'),
    new Option('--layout <name>', 'only this keyboard layout, such as colemak'),
    new Option('--source <program>', 'rounds of another program, or of all together (default: own)').choices([
      'own',
      'monkeytype',
      'keybr',
      'all',
    ]),
    new Option('--since <date>', 'only from this day on: 2026-01-31, today, yesterday or 7d'),
    new Option('--until <date>', 'only up to and including this day'),
    new Option('--json', 'everything as one JSON object').conflicts(['csv', 'export']),
    new Option('--csv', 'one line per round, for a spreadsheet').conflicts('export'),
    new Option('--export', 'all rounds, imported ones too, as lines that "typebadge import" reads'),
    new Option('--card <file>', 'draw a card to share, as an SVG').conflicts(['json', 'csv', 'export']),
    profileOption('show the results of this profile'),
    new Option('--data <folder>', 'the folder used with "play --data"'),
  ];
  for (const option of options) command.addOption(option);
  return command;
}

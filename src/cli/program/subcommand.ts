import { Command } from 'commander';
import { type CommandIo, newProcessIo } from './command-io.ts';
import { present, type Report, type ReportOptions } from './report.ts';

type SubcommandOption = readonly [flags: string, meaning: string, repeatable?: 'repeatable'];

/** One command below `announce` or `origins`. Its `run` loads what it needs when it is asked for. */
export interface Subcommand<Options extends ReportOptions> {
  readonly name: string;
  /** In commander's notation, such as `[id]`, and what it means. */
  readonly argument?: readonly [notation: string, meaning: string];
  /** Whether `run` gets further arguments, too, and says itself what is wrong with them. Default: false. */
  readonly judgesArguments?: boolean;
  readonly summary: string;
  readonly description: string;
  readonly options?: readonly SubcommandOption[];
  /** Command lines after the program's name. */
  readonly examples: readonly string[];
  readonly notes?: string;
  /** Whether it works on this computer alone, so that `--server` makes no sense. Default: false. */
  readonly isLocal?: boolean;
  run(args: readonly string[], options: Options, io: CommandIo): Promise<Report>;
}

export function createSubcommand<Options extends ReportOptions>(subcommand: Subcommand<Options>): Command {
  const { name, argument, summary, description, options = [], examples, notes } = subcommand;
  const { isLocal = false, judgesArguments = false } = subcommand;
  const command = new Command(name)
    .summary(summary)
    .description(description)
    .helpOption('-h, --help', 'print this help');
  if (argument !== undefined) command.argument(...argument);
  command.allowExcessArguments(judgesArguments);
  for (const option of [...options, ...(isLocal ? [] : [serverOption]), ...commonOptions])
    addOption(command, option);
  const lines = examples.map((example) => `  $ typebadge ${example}`);
  command.addHelpText(
    'after',
    `${notes === undefined ? '' : `\n${notes}\n`}\nExamples:\n${lines.join('\n')}`,
  );
  return command.action(async () => {
    const io = newProcessIo();
    const given = command.opts<Options>();
    process.exitCode = await present(io, given, () => subcommand.run(command.args, given, io));
  });
}

function addOption(command: Command, [flags, meaning, repeatable]: SubcommandOption): void {
  if (repeatable === undefined) command.option(flags, meaning);
  else
    command.option(flags, meaning, (value, before: unknown) => [
      ...(Array.isArray(before) ? before : []),
      value,
    ]);
}

const serverOption: SubcommandOption = [
  '--server <url>',
  'work on this server instead of a folder; log in first: typebadge login (default: TYPEBADGE_SERVER)',
];

const commonOptions: readonly SubcommandOption[] = [
  ['--content <folder>', 'the content folder (default: TYPEBADGE_CONTENT, ./content, your own)'],
  ['--store <url>', 'the store that servers share, instead of a folder (default: TYPEBADGE_STORE)'],
  ['--store-prefix <name>', 'prefix of its keys (default: TYPEBADGE_STORE_PREFIX, typebadge)'],
  ['--json', 'print the result as JSON, for programs'],
  ['--verbose', 'say which content folder or store is used, and why'],
];

export const editorOptions = [
  ['--by <name>', 'author in the log (default: TYPEBADGE_EDITOR, else your user name)'],
  ['--dry-run', 'only show what would change'],
] as const;

export const zoneOption = [
  '--zone <name>',
  'time zone, such as Europe/Berlin (default: that of this computer)',
] as const;

/** A command in its parent's help: name and operands, without `[options]`, which every command has. */
export function toTerm(command: Command): string {
  return [
    command.name(),
    ...command.registeredArguments.map((argument) => {
      const operand = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? `<${operand}>` : `[${operand}]`;
    }),
  ].join(' ');
}

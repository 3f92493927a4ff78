import { Command, Option } from 'commander';
import { sentenceOf } from './arguments.ts';
import { type CommandIo, type Invocation, UsageError } from './command-io.ts';
import { presentIn, type Report, type ReportOptions } from './report.ts';

type SubcommandOption = readonly [flags: string, meaning: string, repeatable?: 'repeatable'];

/** Options of the commands on announcements and origins; each command has some of them. */
export interface DeskOptions
  extends ReportOptions,
    Texts<'server' | 'content' | 'store' | 'storePrefix' | 'by' | 'data' | 'zone'> {
  readonly verbose?: boolean;
  readonly dryRun?: boolean;
}

/** Options with a value, by their names. */
export type Texts<Name extends string> = { readonly [N in Name]?: string };

export type DeskCommand<Options = unknown> = (
  words: readonly string[],
  options: DeskOptions & Options,
  io: CommandIo,
) => Promise<Report>;

export interface Subcommand {
  readonly name: string;
  /** In commander's notation, such as `[id]`, and what it means. */
  readonly argument?: readonly [notation: string, meaning: string];
  readonly summary: string;
  /** Sentences that its own help has besides the summary. */
  readonly more?: string;
  readonly options?: readonly SubcommandOption[];
  /** Command lines after the program's name. */
  readonly examples: readonly string[];
  readonly notes?: string;
  /** What it does with the options that are declared here. Loaded when it runs, but not for its help. */
  readonly load: () => Promise<DeskCommand<never>>;
}

function createSubcommand(
  invocation: Invocation,
  { name, argument, summary, more, options = [], examples, notes, load }: Subcommand,
  isLocal: boolean,
): Command {
  const sentence = sentenceOf(summary);
  const command = new Command(name)
    .summary(summary)
    .description(more === undefined ? sentence : `${sentence} ${more}`)
    .allowExcessArguments(false);
  if (argument !== undefined) command.argument(...argument);
  for (const option of [...options, ...outputOptions]) addOption(command, option);
  for (const option of [...(isLocal ? [] : [serverOption]), ...placeOptions])
    addOption(command, option, 'Where:');
  const lines = examples.map((example) => `  $ typebadge ${example}`);
  const before = notes === undefined ? '' : `\n${notes}\n`;
  command.addHelpText('after', `${before}\nExamples:\n${lines.join('\n')}`);
  return command.action(async () => {
    const values = command.opts<never>();
    await presentIn(invocation, values, async (io) => (await load())(command.args, values, io));
  });
}

function addOption(command: Command, [flags, meaning, repeatable]: SubcommandOption, group?: string): void {
  const option = new Option(flags, meaning);
  if (group !== undefined) option.helpGroup(group);
  if (repeatable !== undefined)
    option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value]);
  command.addOption(option);
}

const serverOption: SubcommandOption = [
  '--server <url>',
  'work on this server (default: TYPEBADGE_SERVER, else that of your last typebadge login)',
];

const placeOptions: readonly SubcommandOption[] = [
  ['--content <folder>', 'the content folder (default: TYPEBADGE_CONTENT, else ./content or your own)'],
  ['--store <url>', 'the store that servers share, instead of a folder (default: TYPEBADGE_STORE)'],
  ['--store-prefix <name>', 'prefix of its keys (default: TYPEBADGE_STORE_PREFIX, typebadge)'],
];

const outputOptions: readonly SubcommandOption[] = [
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

export const limitOption = ['--limit <count>', 'how many at most (default: 20)'] as const;

export function parseLimit(text = '20'): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new UsageError(`--limit takes a whole number of at least 1, not "${text}"`);
  return Number(text);
}

/**
 * Makes a command that only has commands below it.
 *
 * @param notes shown after its help
 * @param isLocal whether they work on this computer alone, so that `--server` makes no sense
 */
export function groupOf(name: string, notes: string, subcommands: readonly Subcommand[], isLocal = false) {
  return (invocation: Invocation): Command => {
    const group = new Command(name).configureHelp({ subcommandTerm }).addHelpText('after', notes);
    for (const subcommand of subcommands) group.addCommand(createSubcommand(invocation, subcommand, isLocal));
    return group;
  };
}

/** A command in its group's help: name and operands, without `[options]`, which every command has. */
function subcommandTerm(command: Command): string {
  return `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trimEnd();
}

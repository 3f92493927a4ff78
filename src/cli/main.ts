import { isAbsolute } from 'node:path';
import { Command, CommanderError } from 'commander';
import { readPackageVersion } from '../server/package-files.ts';
import { withTwoDashes } from './long-options.ts';
import { UsageError } from './usage-error.ts';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the command's options and action; only the one that was asked for is loaded. */
  readonly load: () => Promise<Command>;
}

const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'serve the badge, the announcements and the typing API',
    load: async () => (await import('./serve-command.ts')).createServeCommand(),
  },
  {
    name: 'announce',
    summary: 'publish announcements, change them, take changes back',
    load: async () => (await import('./announce/announce-command.ts')).createAnnounceCommand(),
  },
  {
    name: 'origins',
    summary: 'show and change which sites may use the badge',
    load: async () => (await import('./origins/origins-command.ts')).createOriginsCommand(),
  },
  {
    name: 'play',
    summary: 'practise typing in this terminal',
    load: async () => (await import('./play/play-command.ts')).createPlayCommand(),
  },
  {
    name: 'stats',
    summary: 'how your typing develops',
    load: async () => (await import('./stats-command.ts')).createStatsCommand(),
  },
];

const examples = `
Examples:
  $ typebadge serve -port 8787          then open http://127.0.0.1:8787/demo
  $ typebadge announce publish "We moved" --link https://example.org/moved --expires +30d
  $ typebadge play

"typebadge <command> --help" tells more about each.`;

ignoreRelativeFolders();
process.exitCode = await run(process.argv.slice(2));

/** As the XDG Base Directory Specification demands; else the files would be wherever the command happened to be run. */
function ignoreRelativeFolders(): void {
  for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME']) {
    if (!isAbsolute(process.env[name] ?? '/')) delete process.env[name];
  }
}

/** Runs one command line. Resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
async function run(args: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(args);
    await program.parseAsync(withTwoDashes(args, program), { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('typebadge')
    .description(
      'An announcement badge for any site and a typing trainer for any terminal, in one small server.',
    )
    .version(readPackageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples);
  // "help serve" shows the help of serve, so a command counts as asked for wherever it stands.
  const asked = args.find((arg) => !arg.startsWith('-') && arg !== 'help');
  for (const { name, summary, load } of commands) {
    const command = name === asked ? await load() : new Command(name);
    program.addCommand(command.summary(summary));
  }
  throwOnError(program);
  return program;
}

/** Commander would end the process by itself; here one place decides the exit code. */
function throwOnError(command: Command): void {
  command
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'Error: ')) })
    .showHelpAfterError(`(see "${pathOf(command)} --help")`);
  for (const child of command.commands) throwOnError(child);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function report(error: unknown): number {
  // Commander has printed its own message by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Error: ${message}\n`);
  if (process.env.TYPEBADGE_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return error instanceof UsageError ? 2 : 1;
}

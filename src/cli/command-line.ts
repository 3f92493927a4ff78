import { Command, CommanderError } from 'commander';
import { packageFile, readHomepage, readPackageVersion } from '../kit/package-files.ts';
import { visibleText } from '../kit/visible-text.ts';
import { completeArguments, sentenceOf, withoutSynonym } from './program/arguments.ts';
import { type CommandIo, Invocation } from './program/command-io.ts';

/** What each command does, by the headings of the help. */
const summaries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Common commands:': {
    serve: 'serve the badge, the announcements and the typing API',
    announce: 'publish and change announcements, and undo changes',
    play: 'practise typing in this terminal',
    stats: 'show your typing progress',
  },
  'For editors and sites:': {
    origins: 'show and change which sites may use the badge',
    editors: 'let others publish from their own computers',
    login: 'log in to a server to publish there from this computer',
    logout: 'delete your token for a server from this computer',
  },
  'For operators:': {
    doctor: 'check a server’s settings and environment',
    store: 'copy folders into a store and back, and compare them',
  },
  'More:': {
    import: 'import rounds from other typing programs',
    completion: 'print a script that completes commands in your shell',
  },
};

/** The options and the action of each command; only those of the requested one are loaded. */
const loaders: Readonly<Record<string, () => Promise<(invocation: Invocation) => Command>>> = {
  serve: async () => (await import('./commands/serve/serve-command.ts')).createServeCommand,
  announce: async () => (await import('./commands/announce/announce-command.ts')).createAnnounceCommand,
  play: async () => (await import('./commands/play/play-command.ts')).createPlayCommand,
  stats: async () => (await import('./commands/stats/stats-command.ts')).createStatsCommand,
  origins: async () => (await import('./commands/origins/origins-command.ts')).createOriginsCommand,
  editors: async () => (await import('./commands/editors/editors-command.ts')).createEditorsCommand,
  login: async () => (await import('./commands/login/login-command.ts')).createLoginCommand,
  logout: async () => (await import('./commands/login/login-command.ts')).createLogoutCommand,
  doctor: async () => (await import('./commands/doctor/doctor-command.ts')).createDoctorCommand,
  store: async () => (await import('./commands/store/store-command.ts')).createStoreCommand,
  import: async () => (await import('./commands/import/import-command.ts')).createImportCommand,
  completion: async () =>
    (await import('./commands/completion/completion-command.ts')).createCompletionCommand,
};

const closing = () => `
Examples:
  $ typebadge serve --port 8787         then open http://127.0.0.1:8787/demo
  $ typebadge announce publish "We moved" --link https://example.org/moved
  $ typebadge play

Run "typebadge help <command>" for more.
Documentation: ${readHomepage()}, and in ${packageFile('docs')}
Problems and ideas: ${readHomepage()}/issues`;

/** Runs one command line. Resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommandLine(given: readonly string[], io: CommandIo): Promise<number> {
  const invocation = new Invocation(io);
  const { args, note } = withoutSynonym(given);
  if (note !== undefined) io.err.write(`Note: ${note}\n`);
  // Commander's messages about wrong usage are collected, and printed wrapped once it throws.
  const complaints: string[] = [];
  try {
    if (args[0] === '__complete') return await printCompletions(args.slice(2), invocation);
    const program = await createProgram(args, invocation);
    catchErrors(program, io, complaints);
    await program.parseAsync(completeArguments(args, program), { from: 'user' });
    return invocation.exitCode;
  } catch (error) {
    return report(error, io, complaints.join(''));
  }
}

/** `__complete -- WORDS`, which the scripts for shells call. */
async function printCompletions(words: readonly string[], invocation: Invocation): Promise<number> {
  const { completionsOf } = await import('./commands/completion/completion-command.ts');
  const lines = await completionsOf(await createProgram(words, invocation), words, invocation.io);
  invocation.io.out.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

/** "help serve" shows the help of serve, so the first word that is not "help" counts. */
function requestedCommand(args: readonly string[]): string | undefined {
  return args.find((arg) => !arg.startsWith('-') && arg !== 'help');
}

/** The program with the named command loaded; of the others it has the name and the summary. */
async function createProgram(args: readonly string[], invocation: Invocation): Promise<Command> {
  const program = new Command('typebadge')
    .description(
      'An announcement badge for any site and a typing trainer for any terminal, in one small server.',
    )
    .version(readPackageVersion(), '-V, --version', 'print the version')
    .helpCommand(false) // see completeArguments
    .addHelpText('after', closing);
  const requested = requestedCommand(args);
  for (const [group, commands] of Object.entries(summaries))
    for (const [name, summary] of Object.entries(commands)) {
      const create = name === requested ? await loaders[name]?.() : undefined;
      const command = create?.(invocation) ?? new Command(name);
      if (command.description() === '') command.description(sentenceOf(summary));
      program.addCommand(command.summary(summary).helpGroup(group));
    }
  return program;
}

/** Commander would end the process by itself; here one place decides the exit code. */
function catchErrors(command: Command, io: CommandIo, complaints: string[]): void {
  const fitting = (line: string) => command.createHelp().boxWrap(line, io.out.columns || 80);
  command
    .exitOverride()
    .helpOption('-h, --help', 'print this help')
    .configureOutput({
      // Commander wraps all but what follows its help. Commands stay whole, so that they can be copied.
      writeOut: (text) => io.out.write(text.replace(/^(?! *\$ ).+$/gm, fitting)),
      writeErr: (text) => complaints.push(text),
      outputError: (text, write) => write(errorText(text)),
    })
    .showHelpAfterError(`(see "${pathOf(command)} --help")`);
  if (command.parent !== null && command.commands.length > 0)
    command.helpCommand('help [command]', 'print the help of a command');
  for (const child of command.commands) catchErrors(child, io, complaints);
}

/** Commander repeats arguments as they are; its suggestion comes after a line break. */
function errorText(text: string): string {
  const [, problem = '', suggestion = ''] =
    /^(?:error: )?(.*?)(\n\(Did you mean [^\n]*)?\n?$/s.exec(text) ?? [];
  return `Error: ${visibleText(problem)}${suggestion}\n`;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Resolves to the exit code. Loads what prints errors only where something is wrong. */
async function report(error: unknown, io: CommandIo, complaints: string): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { presentError, printLines } = await import('./program/report.ts');
  if (!(error instanceof CommanderError)) return presentError(error, io);
  printLines(io.err, complaints);
  return 2;
}

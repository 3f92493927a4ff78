import { Command, CommanderError } from 'commander';
import { packageFile, readHomepage, readPackageVersion } from '../kit/package-files.ts';
import { visibleText } from '../kit/visible-text.ts';
import { completeArguments, withoutSynonym } from './program/arguments.ts';
import { type CommandIo, Invocation, UsageError } from './program/command-io.ts';
import { printProblem } from './program/process-output.ts';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Its heading in the help; undefined: it is not shown there. */
  readonly group: string | undefined;
  /** Loads the command's options and action; only the one that was asked for is loaded. */
  readonly load: (invocation: Invocation) => Promise<Command>;
}

const common = 'Common commands:';
const editing = 'For editors and sites:';
const operation = 'For operators:';
const more = 'More:';

const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'serve the badge, the announcements and the typing API',
    group: common,
    load: async (invocation) =>
      (await import('./commands/serve/serve-command.ts')).createServeCommand(invocation),
  },
  {
    name: 'announce',
    summary: 'publish announcements, change them, take changes back',
    group: common,
    load: async (invocation) =>
      (await import('./commands/announce/announce-command.ts')).createAnnounceCommand(invocation),
  },
  {
    name: 'play',
    summary: 'practise typing in this terminal',
    group: common,
    load: async (invocation) =>
      (await import('./commands/play/play-command.ts')).createPlayCommand(invocation),
  },
  {
    name: 'stats',
    summary: 'show your typing progress',
    group: common,
    load: async (invocation) =>
      (await import('./commands/stats/stats-command.ts')).createStatsCommand(invocation),
  },
  {
    name: 'origins',
    summary: 'show and change which sites may use the badge',
    group: editing,
    load: async (invocation) =>
      (await import('./commands/origins/origins-command.ts')).createOriginsCommand(invocation),
  },
  {
    name: 'editors',
    summary: 'let others publish from their own computers',
    group: editing,
    load: async (invocation) =>
      (await import('./commands/editors/editors-command.ts')).createEditorsCommand(invocation),
  },
  {
    name: 'login',
    summary: 'log in to a server to publish there from this computer',
    group: editing,
    load: async (invocation) =>
      (await import('./commands/login/login-command.ts')).createLoginCommand(invocation),
  },
  {
    name: 'logout',
    summary: 'delete your token for a server from this computer',
    group: editing,
    load: async (invocation) =>
      (await import('./commands/login/login-command.ts')).createLogoutCommand(invocation),
  },
  {
    name: 'doctor',
    summary: 'check a server’s settings and environment',
    group: operation,
    load: async (invocation) =>
      (await import('./commands/doctor/doctor-command.ts')).createDoctorCommand(invocation),
  },
  {
    name: 'store',
    summary: 'copy folders into a store and back, and compare them',
    group: operation,
    load: async (invocation) =>
      (await import('./commands/store/store-command.ts')).createStoreCommand(invocation),
  },
  {
    name: 'import',
    summary: 'import rounds from other typing programs',
    group: more,
    load: async (invocation) =>
      (await import('./commands/import/import-command.ts')).createImportCommand(invocation),
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands in your shell',
    group: more,
    load: async (invocation) =>
      (await import('./commands/completion/completion-command.ts')).createCompletionCommand(invocation),
  },
  {
    name: '__complete',
    summary: 'print completions of a command line',
    group: undefined,
    load: async (invocation) =>
      (await import('./commands/completion/completion-command.ts')).createCompleteCommand(
        invocation,
        createProgram,
      ),
  },
];

const closing = () => `
Examples:
  $ typebadge serve --port 8787         then open http://127.0.0.1:8787/demo
  $ typebadge announce publish "We moved" --link https://example.org/moved --expires +30d
  $ typebadge play

Run "typebadge help <command>" for more.
Documents: ${readHomepage()}, and in ${packageFile('docs')}
Problems and wishes: ${readHomepage()}/issues`;

/** Runs one command line. Resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommandLine(given: readonly string[], io: CommandIo): Promise<number> {
  const invocation = new Invocation(io);
  const { args, note } = withoutSynonym(given);
  if (note !== undefined) io.err.write(`Note: ${note}\n`);
  // Commander's messages about wrong usage are collected, and printed wrapped once it throws.
  const complaints: string[] = [];
  try {
    const program = await createProgram(args, invocation);
    catchErrors(program, io, complaints);
    if (args[0] === 'serve') await warnOfVariables(io);
    await program.parseAsync(completeArguments(args, program), { from: 'user' });
    return invocation.exitCode;
  } catch (error) {
    return report(error, io, complaints.join(''));
  }
}

/** "help serve" shows the help of serve, so the first word that is not "help" counts. */
function requestedCommand(args: readonly string[]): CommandEntry | undefined {
  const requested = args.find((arg) => !arg.startsWith('-') && arg !== 'help');
  return commands.find(({ name }) => name === requested);
}

/** Warns of misspelt variables, which would be silently ignored; some of them keep strangers apart. */
async function warnOfVariables({ env, err }: CommandIo): Promise<void> {
  const { warningsOfVariables } = await import('./commands/doctor/known-variables.ts');
  for (const warning of warningsOfVariables(env)) err.write(`${warning}\n`);
}

/** The program with the named command loaded; of the others it has the name and the summary. */
async function createProgram(args: readonly string[], invocation: Invocation): Promise<Command> {
  const program = new Command('typebadge')
    .description(
      'An announcement badge for any site and a typing trainer for any terminal, in one small server.',
    )
    .version(readPackageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false) // see completeArguments
    .addHelpText('after', closing);
  const requested = requestedCommand(args);
  for (const entry of commands) {
    const command = entry === requested ? await entry.load(invocation) : new Command(entry.name);
    command.summary(entry.summary).helpGroup(entry.group ?? '');
    program.addCommand(command, { hidden: entry.group === undefined });
  }
  return program;
}

/** Commander would end the process by itself; here one place decides the exit code. */
function catchErrors(command: Command, io: CommandIo, complaints: string[]): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => complaints.push(text),
      outputError: (text, write) => write(errorText(text)),
    })
    .showHelpAfterError(`(see "${pathOf(command)} --help")`);
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

async function report(error: unknown, io: CommandIo, complaints: string): Promise<number> {
  if (error instanceof CommanderError) {
    await printProblem(complaints, io.err);
    return error.exitCode === 0 ? 0 : 2;
  }
  const message = visibleText(error instanceof Error ? error.message : String(error));
  await printProblem(`Error: ${message}\n`, io.err);
  if (io.env.TYPEBADGE_DEBUG && error instanceof Error) io.err.write(`${error.stack}\n`);
  return error instanceof UsageError ? 2 : 1;
}

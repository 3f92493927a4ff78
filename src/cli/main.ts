import { isAbsolute } from 'node:path';
import { Command, CommanderError } from 'commander';
import { readPackageVersion } from '../kit/package-files.ts';
import { toVisible } from '../kit/visible-text.ts';
import { UsageError } from './program/command-errors.ts';
import { guessCommand } from './program/guessed-command.ts';
import { guessOption } from './program/guessed-option.ts';
import { guessValue } from './program/guessed-value.ts';
import { withTwoDashes } from './program/long-options.ts';
import { watchOutput } from './program/output-errors.ts';
import { printProblem } from './program/printed-problem.ts';

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
    load: async () => (await import('./commands/serve/serve-command.ts')).createServeCommand(),
  },
  {
    name: 'announce',
    summary: 'publish announcements, change them, take changes back',
    load: async () => (await import('./commands/announce/announce-command.ts')).createAnnounceCommand(),
  },
  {
    name: 'origins',
    summary: 'show and change which sites may use the badge',
    load: async () => (await import('./commands/origins/origins-command.ts')).createOriginsCommand(),
  },
  {
    name: 'editors',
    summary: 'let others publish from their own computers',
    load: async () => (await import('./commands/editors/editors-command.ts')).createEditorsCommand(),
  },
  {
    name: 'login',
    summary: 'log in to a server to publish there from this computer',
    load: async () => (await import('./commands/login/login-command.ts')).createLoginCommand(),
  },
  {
    name: 'logout',
    summary: 'forget the token for a server',
    load: async () => (await import('./commands/login/login-command.ts')).createLogoutCommand(),
  },
  {
    name: 'play',
    summary: 'practise typing in this terminal',
    load: async () => (await import('./commands/play/play-command.ts')).createPlayCommand(),
  },
  {
    name: 'stats',
    summary: 'your typing progress',
    load: async () => (await import('./commands/stats/stats-command.ts')).createStatsCommand(),
  },
  {
    name: 'import',
    summary: 'import rounds from other typing programs',
    load: async () => (await import('./commands/import/import-command.ts')).createImportCommand(),
  },
  {
    name: 'store',
    summary: 'copy folders into a store and back, and compare them',
    load: async () => (await import('./commands/store/store-command.ts')).createStoreCommand(),
  },
  {
    name: 'doctor',
    summary: 'check settings and surroundings of a server',
    load: async () => (await import('./commands/doctor/doctor-command.ts')).createDoctorCommand(),
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands in your shell',
    load: async () => {
      const { createCompletionCommand } = await import('./commands/completion/completion-command.ts');
      return createCompletionCommand(() => createProgram(commands.map(({ name }) => name)));
    },
  },
];

const examples = `
Examples:
  $ typebadge serve --port 8787         then open http://127.0.0.1:8787/demo
  $ typebadge announce publish "We moved" --link https://example.org/moved --expires +30d
  $ typebadge play

Run "typebadge <command> --help" for more.`;

/** What Commander has said of wrong usage; it ends with an error, and only then is it printed, in lines that fit. */
const complaints: string[] = [];

watchOutput();
ignoreRelativeFolders();
process.exitCode = await run(process.argv.slice(2));

/** As the XDG Base Directory Specification demands; else the files would be in whatever folder the command was run in. */
function ignoreRelativeFolders(): void {
  for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME']) {
    if (!isAbsolute(process.env[name] ?? '/')) delete process.env[name];
  }
}

/** Runs one command line. Resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
async function run(args: readonly string[]): Promise<number> {
  try {
    // "help serve" shows the help of serve, so the first word that names a command counts.
    const asked = args.find((arg) => !arg.startsWith('-') && arg !== 'help');
    const program = await createProgram(asked === undefined ? [] : [asked]);
    if (asked !== undefined && !isOnlyAsking(args, asked)) await warnOfVariables();
    await program.parseAsync(withTwoDashes(args, program), { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

/** Whether somebody wants help or a version, or a program reads what is printed; `doctor` says more of variables itself. */
function isOnlyAsking(args: readonly string[], asked: string): boolean {
  const isCommand = commands.some(({ name }) => name === asked);
  const silent = ['completion', 'doctor'];
  return (
    !isCommand || silent.includes(asked) || args.some((arg) => /^(?:help|--help|-h|--version|-V)$/.test(arg))
  );
}

/** A misspelt setting would be ignored in silence, and some of them keep strangers apart. */
async function warnOfVariables(): Promise<void> {
  if (!Object.keys(process.env).some((name) => /^TYPE/i.test(name))) return;
  const { warningsOfVariables } = await import('./commands/doctor/misspelt-variables.ts');
  for (const warning of warningsOfVariables(process.env)) process.stderr.write(`${warning}\n`);
}

/** The program with these commands loaded; of the others it knows the name and the summary. */
async function createProgram(asked: readonly string[]): Promise<Command> {
  const program = new Command('typebadge')
    .description(
      'An announcement badge for any site and a typing trainer for any terminal, in one small server.',
    )
    .version(readPackageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples);
  for (const { name, summary, load } of commands) {
    const command = asked.includes(name) ? await load() : new Command(name);
    program.addCommand(command.summary(summary));
  }
  throwOnError(program);
  return program;
}

/** Commander would end the process by itself; here one place decides the exit code. */
function throwOnError(command: Command): void {
  command
    .exitOverride()
    .configureOutput({
      writeErr: (text) => complaints.push(text),
      outputError: (text, write) => write(toErrorText(text, command)),
    })
    .showHelpAfterError(`(see "${pathOf(command)} --help")`);
  for (const child of command.commands) throwOnError(child);
}

/** Commander repeats arguments as they are; its suggestion comes after a line break. */
function toErrorText(text: string, command: Command): string {
  const [, problem = '', suggestion = ''] =
    /^(?:error: )?(.*?)(\n\(Did you mean [^\n]*)?\n?$/s.exec(text) ?? [];
  // "-5 % today" is a message, not an option.
  const isText = /^unknown option '-[^']* /.test(problem);
  const guess = guessMeant(problem, command);
  const guessed = guess === undefined ? suggestion : `\n(${guess})`;
  const hint = isText ? '\n(To pass text that begins with a hyphen, put -- before it.)' : guessed;
  return `Error: ${toVisible(problem)}${hint}\n`;
}

/** What people try before they read the help, by the sentence that refuses it. */
function guessMeant(problem: string, command: Command): string | undefined {
  const [, kind, name = ''] = /^unknown (command|option) '(.*)'$/s.exec(problem) ?? [];
  if (kind === 'option') return guessOption(name, command);
  if (kind === undefined) return guessValue(problem, command);
  const meant = kind === 'command' && command.parent === null ? guessCommand(name) : undefined;
  return meant === undefined ? undefined : `Did you mean "typebadge ${meant}"?`;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    await printProblem(complaints.join(''));
    return error.exitCode === 0 ? 0 : 2;
  }
  const message = toVisible(error instanceof Error ? error.message : String(error));
  await printProblem(`Error: ${message}\n`);
  if (process.env.TYPEBADGE_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return error instanceof UsageError ? 2 : 1;
}

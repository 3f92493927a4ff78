import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from './command-io.ts';

/**
 * The command line for commander. One dash before a long option becomes two, as in `-port 8787` and
 * `-port=8787`: the option's name decides, so short options, negative numbers and everything after `--` stay.
 * `help announce publish` becomes `announce publish --help`, and so does a command that only has commands
 * below it.
 */
export function completeArguments(args: readonly string[], program: Command): string[] {
  const isHelp = args[0] === 'help';
  const words = withTwoDashes(isHelp ? args.slice(1) : args, program);
  const { command, rest } = findCommand(program, words);
  const isUnknown = command.commands.length > 0 && rest.length > 0;
  if (isHelp && !isUnknown) return [...words.slice(0, words.length - rest.length), '--help'];
  return command.commands.length > 0 && rest.length === 0 ? [...words, '--help'] : words;
}

export function withTwoDashes(args: readonly string[], program: Command): string[] {
  const names = longNamesOf(program);
  const end = args.indexOf('--');
  return args.map((arg, at) => {
    const [, name] = /^-([a-z][a-z0-9-]+)(?:=|$)/.exec(arg) ?? [];
    const isOption = name !== undefined && names.has(name) && (end === -1 || at < end);
    return isOption ? `-${arg}` : arg;
  });
}

function longNamesOf(command: Command): Set<string> {
  const own = command.options.flatMap(({ long }) => (long ? [long.slice(2)] : []));
  return new Set([...own, 'help', ...command.commands.flatMap((child) => [...longNamesOf(child)])]);
}

/** The command that the first words name, and the words after them. */
function findCommand(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  const [name, ...rest] = words;
  const child = program.commands.find((command) => command.name() === name);
  return child === undefined ? { command: program, rest: [...words] } : findCommand(child, rest);
}

/** What people try as the name of a command below `announce`, and the command that does it. */
const synonyms: Readonly<Record<string, string>> = {
  delete: 'withdraw',
  remove: 'withdraw',
  update: 'edit',
  stop: 'expire',
  end: 'expire',
};

/** `announce delete 2026-001` as the command that does it, and a note that says so. */
export function withoutSynonym(args: readonly string[]): { args: readonly string[]; note?: string } {
  const at = args.indexOf('announce') + 1;
  const given = at > 0 && args.slice(0, at - 1).every((arg) => arg === 'help') ? (args[at] ?? '') : '';
  const command = Object.hasOwn(synonyms, given) ? synonyms[given] : undefined;
  if (command === undefined) return { args };
  return { args: args.toSpliced(at, 1, command), note: `"announce ${given}" runs "announce ${command}".` };
}

/** A parser of an option; its message becomes commander's error, which names the option or the variable. */
export function optionParser<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      const { message } = error as Error;
      // Commander would repeat the address.
      throw text.includes('@') ? new UsageError(message) : new InvalidArgumentError(message);
    }
  };
}

export function sentenceOf(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

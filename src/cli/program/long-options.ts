import type { Command } from 'commander';

/**
 * Accepts one dash before a long option, as in `-port 8787` and `-port=8787`: the option's name decides, so short
 * options, negative numbers and everything after `--` stay as they are.
 */
export function withTwoDashes(args: readonly string[], command: Command): string[] {
  const names = longNamesOf(command);
  const end = args.indexOf('--');
  return args.map((arg, index) => {
    const [, name] = /^-([a-z][a-z0-9-]+)(?:=|$)/.exec(arg) ?? [];
    const isOption = name !== undefined && names.has(name) && (end === -1 || index < end);
    return isOption ? `-${arg}` : arg;
  });
}

function longNamesOf(command: Command): Set<string> {
  const own = command.options.flatMap(({ long }) => (long ? [long.slice(2)] : []));
  return new Set([...own, 'help', ...command.commands.flatMap((child) => [...longNamesOf(child)])]);
}

import { Command } from 'commander';
import { expect, test } from 'vitest';
import { createAnnounceCommand } from '../../src/cli/commands/announce/announce-command.ts';
import { createOriginsCommand } from '../../src/cli/commands/origins/origins-command.ts';
import { Invocation, newProcessIo } from '../../src/cli/program/command-io.ts';

function withHelpWidth(command: Command): Command {
  const program = new Command('typebadge').addCommand(command);
  for (const one of [command, ...command.commands])
    one.configureOutput({ getOutHelpWidth: () => 80, getOutHasColors: () => false });
  return program;
}

/** The help as printed, examples included. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ ...command.configureOutput(), writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

const invocation = new Invocation(newProcessIo());
const announce = createAnnounceCommand(invocation);
const origins = createOriginsCommand(invocation);
withHelpWidth(announce);
withHelpWidth(origins);
const all = [announce, origins, ...announce.commands, ...origins.commands];

test.each(all.map((command) => [`${command.parent?.name()} ${command.name()}`, command] as const))(
  'the help of %s has examples of itself, a line for every option, and fits into 80 columns',
  (_, command) => {
    const help = helpOf(command);
    const path =
      command.parent?.name() === 'typebadge' ? command.name() : `${command.parent?.name()} ${command.name()}`;
    expect(help).toMatch(new RegExp(`Examples:\\n(?: {2}\\$ typebadge ${path}.*\\n)+`));
    for (const { long, description } of command.options) {
      expect(help).toContain(long);
      expect(description).not.toBe('');
    }
    for (const { _name, description } of command.registeredArguments as unknown as {
      _name: string;
      description: string;
    }[]) {
      expect([_name, description]).not.toEqual([_name, '']);
    }
    const wide = help.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $'));
    expect(wide).toEqual([]);
  },
);

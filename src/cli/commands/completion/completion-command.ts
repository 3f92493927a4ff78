import { Argument, Command } from 'commander';
import { findSimilar } from '../../../kit/similar-name.ts';
import { toVisible } from '../../../kit/visible-text.ts';
import { toBashScript } from '../../completion/bash-script.ts';
import { type CommandNode, toCommandTree } from '../../completion/command-tree.ts';
import { toFishScript } from '../../completion/fish-script.ts';
import { toZshScript } from '../../completion/zsh-script.ts';
import { UsageError } from '../../program/command-errors.ts';
import { newProcessIo } from '../../program/command-io.ts';

const scripts: Readonly<Record<string, (tree: CommandNode) => string>> = {
  bash: toBashScript,
  zsh: toZshScript,
  fish: toFishScript,
};

const shells = Object.keys(scripts);

function parseShell(text: string): string {
  if (shells.includes(text)) return text;
  const guess = findSimilar(text, shells);
  throw new UsageError(
    `there are scripts for ${shells.join(', ')}, not for ${toVisible(text)}${guess === undefined ? '' : `; did you mean typebadge completion ${guess}?`}`,
  );
}

const examples = `
The script knows every command and option of this version: generate it again after an update.

Examples:
  $ typebadge completion bash >> ~/.bash_completion
  $ typebadge completion zsh > "\${fpath[1]}/_typebadge"
  $ typebadge completion fish > ~/.config/fish/completions/typebadge.fish`;

/** @param loadProgram gives the program with all its commands loaded */
export function createCompletionCommand(loadProgram: () => Promise<Command>): Command {
  const command = new Command('completion')
    .description('Prints a script that lets your shell complete commands, options and their values.')
    .helpOption('-h, --help', 'print this help')
    .addArgument(new Argument(`<${shells.join('|')}>`, 'your shell').choices(shells).argParser(parseShell))
    .addHelpText('after', examples);
  return command.action(async (shell: string) => {
    const toScript = scripts[shell] as (tree: CommandNode) => string;
    const { readKnownValues } = await import('./known-values.ts');
    newProcessIo().out.write(toScript(toCommandTree(await loadProgram(), readKnownValues())));
  });
}

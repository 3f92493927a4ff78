import { Argument, Command } from 'commander';
import { toBashScript } from '../../completion/bash-script.ts';
import { type CommandNode, toCommandTree } from '../../completion/command-tree.ts';
import { toFishScript } from '../../completion/fish-script.ts';
import { toZshScript } from '../../completion/zsh-script.ts';
import { newProcessIo } from '../../program/command-io.ts';

const scripts: Readonly<Record<string, (tree: CommandNode) => string>> = {
  bash: toBashScript,
  zsh: toZshScript,
  fish: toFishScript,
};

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
    .addArgument(
      new Argument(`<${Object.keys(scripts).join('|')}>`, 'your shell').choices(Object.keys(scripts)),
    )
    .addHelpText('after', examples);
  return command.action(async (shell: string) => {
    const toScript = scripts[shell] as (tree: CommandNode) => string;
    const { readKnownValues } = await import('./known-values.ts');
    newProcessIo().out.write(toScript(toCommandTree(await loadProgram(), readKnownValues())));
  });
}

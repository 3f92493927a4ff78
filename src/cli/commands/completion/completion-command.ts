import { Argument, Command } from 'commander';
import type { Invocation } from '../../program/command-io.ts';

/** Each calls `typebadge __complete`, which prints `word<tab>meaning` lines, `:files` or `:folders`. */
const scripts: Readonly<Record<string, string>> = {
  bash: `# bash completion for typebadge
_typebadge() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")) ;;
      :folders) COMPREPLY=($(compgen -d -- "\${COMP_WORDS[COMP_CWORD]}")) ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(typebadge __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _typebadge typebadge
`,
  zsh: `#compdef typebadge
_typebadge() {
  local -a offers
  offers=("\${(@f)$(typebadge __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case "\${offers[1]}" in
    (:files) _files ;;
    (:folders) _path_files -/ ;;
    (*) offers=("\${(@)offers//:/\\\\:}"); offers=("\${(@)offers/$'\\t'/:}"); _describe typebadge offers ;;
  esac
}
if [[ \${funcstack[1]} = _typebadge ]]; then _typebadge "$@"; else compdef _typebadge typebadge; fi
`,
  fish: `# fish completion for typebadge
function __typebadge_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (typebadge __complete -- $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case :files; __fish_complete_path "$current"
      case :folders; __fish_complete_directories "$current"
      case '-*'; string match -q -- '-*' "$current"; and echo $line
      case '*'; echo $line
    end
  end
end
complete -c typebadge -f -a '(__typebadge_complete)'
`,
};

const shells = Object.keys(scripts);

const examples = `
Examples:
  $ typebadge completion bash >> ~/.bash_completion
  $ typebadge completion zsh > "\${fpath[1]}/_typebadge"
  $ typebadge completion fish > ~/.config/fish/completions/typebadge.fish`;

/** `typebadge completion`: a script for a shell. */
export function createCompletionCommand({ io }: Invocation): Command {
  return new Command('completion')
    .description('Prints a script that lets your shell complete commands, options and their values.')
    .helpOption('-h, --help', 'print this help')
    .addArgument(new Argument(`<${shells.join('|')}>`, 'your shell').choices(shells))
    .addHelpText('after', examples)
    .action((shell: string) => {
      io.out.write(scripts[shell] ?? '');
    });
}

/**
 * `typebadge __complete -- WORDS`: prints what may come next, for the scripts.
 *
 * @param loadProgram resolves to the program, with the command loaded that the first word names
 */
export function createCompleteCommand(
  invocation: Invocation,
  loadProgram: (words: readonly string[], invocation: Invocation) => Promise<Command>,
): Command {
  return new Command('__complete')
    .argument('[words...]')
    .helpOption(false)
    .action(async (words: readonly string[]) => {
      const { completionsOf } = await import('./completions.ts');
      const lines = await completionsOf(await loadProgram(words, invocation), words, invocation.io);
      invocation.io.out.write(lines.map((line) => `${line}\n`).join(''));
    });
}

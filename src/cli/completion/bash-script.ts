import { type CommandNode, type CompletedOption, listNodes, spellingsOf } from './command-tree.ts';

/** A script for bash 3.2 and later. Where nothing is offered, bash completes file names as usual. */
export function toBashScript(tree: CommandNode): string {
  const nodes = listNodes(tree);
  const inner = nodes.filter(({ path }) => path.length > 0).map(({ path }) => `'${path.join(' ')}'`);
  return `# bash completion for typebadge
_typebadge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path= word words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="$path\${path:+ }\${COMP_WORDS[i]}"
    case "$word" in ${inner.join('|')}) path=$word ;; esac
  done
  case "$path $previous" in
${nodes.flatMap(({ path, options }) => options.map((option) => toValueCase(path, option))).join('')}  esac
  case "$path" in
${nodes.map(toWordsCase).join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _typebadge typebadge
`;
}

function toValueCase(path: readonly string[], option: CompletedOption): string {
  const { value } = option;
  if (value === 'none') return '';
  const patterns = spellingsOf(option)
    .map((name) => `'${path.join(' ')} ${name}'`)
    .join('|');
  return `    ${patterns}) ${toReply(value)}; return ;;\n`;
}

function toReply(value: CompletedOption['value']): string {
  if (typeof value !== 'string') {
    const words =
      'command' in value ? `"${value.always.join(' ')} $(${value.command})"` : `'${value.join(' ')}'`;
    return `COMPREPLY=($(compgen -W ${words} -- "$cur"))`;
  }
  if (value === 'folder') return 'COMPREPLY=($(compgen -d -- "$cur"))';
  return value === 'file' ? 'COMPREPLY=($(compgen -f -- "$cur"))' : ':';
}

function toWordsCase({ path, options, choices, children }: CommandNode): string {
  const words = [
    ...children.map(({ path: child }) => child.at(-1)),
    ...('command' in choices ? choices.always : choices),
    ...options.flatMap(({ names }) => names),
  ];
  const more = 'command' in choices ? `; [[ $cur == -* ]] || words+=" $(${choices.command})"` : '';
  return `    '${path.join(' ')}') words='${words.join(' ')}'${more} ;;\n`;
}

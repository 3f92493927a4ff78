import { type CommandNode, type CompletedOption, listNodes, spellingsOf } from './command-tree.ts';

/** A script for zsh: put it into a folder of `fpath` as `_typebadge`, or source it after `compinit`. */
export function toZshScript(tree: CommandNode): string {
  const nodes = listNodes(tree);
  const inner = nodes.filter(({ path }) => path.length > 0).map(({ path }) => quote(path.join(' ')));
  return `#compdef typebadge
_typebadge() {
  local path_= word i
  local -a offers
  for ((i = 2; i < CURRENT; i++)); do
    word="$path_\${path_:+ }\${words[i]}"
    case "$word" in (${inner.join('|')}) path_=$word ;; esac
  done
  case "$path_ \${words[CURRENT-1]}" in
${nodes.flatMap(({ path, options }) => options.map((option) => toValueCase(path, option))).join('')}  esac
  case "$path_" in
${nodes.map(toOffersCase).join('')}  esac
  _describe 'typebadge' offers
}
if [[ \${funcstack[1]} = _typebadge ]]; then _typebadge "$@"; else compdef _typebadge typebadge; fi
`;
}

function toValueCase(path: readonly string[], option: CompletedOption): string {
  const { value } = option;
  if (value === 'none') return '';
  const patterns = spellingsOf(option)
    .map((name) => quote(`${path.join(' ')} ${name}`))
    .join('|');
  return `    (${patterns}) ${toAction(value)}; return ;;\n`;
}

function toAction(value: CompletedOption['value']): string {
  if (typeof value !== 'string') {
    const words = 'command' in value ? [...value.always.map(quote), `$(${value.command})`] : value.map(quote);
    return `compadd -- ${words.join(' ')}`;
  }
  if (value === 'folder') return '_path_files -/';
  return value === 'file' ? '_files' : '_message value';
}

function toOffersCase({ path, options, choices, children }: CommandNode): string {
  const offers = [
    ...children.map((child) => toOffer(child.path.at(-1) as string, child.summary)),
    ...('command' in choices ? choices.always : choices).map(quote),
    ...options.flatMap(({ names, summary }) => names.map((name) => toOffer(name, summary))),
  ];
  const more =
    'command' in choices ? `; [[ \${words[CURRENT]} = -* ]] || offers+=($(${choices.command}))` : '';
  return `    (${quote(path.join(' '))}) offers=(${offers.join(' ')})${more} ;;\n`;
}

/** `_describe` takes "word:meaning"; a colon in the word would end it. */
function toOffer(word: string, meaning: string): string {
  return quote(`${word.replaceAll(':', '\\\\:')}:${meaning}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import { type CommandNode, type CompletedOption, listNodes, spellingsOf } from './command-tree.ts';

/** A script for fish 3: put it into `completions/typebadge.fish` of its configuration. */
export function toFishScript(tree: CommandNode): string {
  const nodes = listNodes(tree);
  const inner = nodes.filter(({ path }) => path.length > 0).map(({ path }) => quote(path.join(' ')));
  return `# fish completion for typebadge
function __typebadge_at
  set -l path
  for word in (commandline -opc)[2..-1]
    if contains -- (string join -- ' ' $path $word) ${inner.join(' ')}
      set -a path $word
    end
  end
  test "$path" = "$argv"
end
complete -c typebadge -f
${nodes.map(toLines).join('')}`;
}

function toLines({ path, options, choices, children }: CommandNode): string {
  const place = `complete -c typebadge -n ${quote(['__typebadge_at', ...path].join(' '))}`;
  return [
    ...children.map(
      (child) => `${place} -a ${quote(child.path.at(-1) as string)} -d ${quote(child.summary)}\n`,
    ),
    ...(toWords(choices) === '' ? [] : [`${place} -a ${quote(toWords(choices))}\n`]),
    ...options.map((option) => `${place} ${toNames(option)}${toValue(option)} -d ${quote(option.summary)}\n`),
  ].join('');
}

/** Fish runs what is in brackets. */
function toWords(words: CommandNode['choices']): string {
  return ('command' in words ? [...words.always, `(${words.command})`] : words).join(' ');
}

/** `-o` is a long option with one dash. */
function toNames(option: CompletedOption): string {
  return spellingsOf(option)
    .map((name) => {
      if (name.startsWith('--')) return `-l ${name.slice(2)}`;
      return name.length === 2 ? `-s ${name.slice(1)}` : `-o ${name.slice(1)}`;
    })
    .join(' ');
}

function toValue({ value }: CompletedOption): string {
  if (typeof value !== 'string') return ` -x -a ${quote(toWords(value))}`;
  if (value === 'none') return '';
  if (value === 'folder') return " -x -a '(__fish_complete_directories)'";
  return value === 'file' ? ' -r -F' : ' -x';
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

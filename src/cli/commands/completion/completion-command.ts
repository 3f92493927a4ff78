import { Argument, Command, type Option } from 'commander';
import { fieldNames, fieldOf } from '../../../announcements/fields.ts';
import { readProfileNames } from '../../../tui/record/folders.ts';
import { withTwoDashes } from '../../program/arguments.ts';
import type { CommandIo, Invocation } from '../../program/command-io.ts';
import { defaultProfile } from '../../typist/profile-option.ts';

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
    .description('Print a script that lets your shell complete commands, options and their values.')
    .addArgument(new Argument(`<${shells.join('|')}>`, 'your shell').choices(shells))
    .addHelpText('after', examples)
    .action((shell: string) => {
      io.out.write(scripts[shell] ?? '');
    });
}

/**
 * What may come next on a command line, for the scripts: a line for each word, with a tab before its meaning.
 * `:files` and `:folders` ask the shell for names.
 *
 * @param words what was typed after the program's name; the last one is still being typed, and may be empty
 */
export async function completionsOf(
  program: Command,
  words: readonly string[],
  io: CommandIo,
): Promise<readonly string[]> {
  // Bash gives `--log=json` as three words.
  const typed = words.slice(0, -1).filter((word) => word !== '=');
  const { command, path, pending, given } = readTyped(program, typed);
  const current = words.at(-1) ?? '';
  const isOption = current.startsWith('-');
  if (pending !== undefined && !(pending.optional && isOption)) {
    const values = choicesOf(pending) ?? (await knownValues(`${path} ${pending.long}`, given));
    if (values !== undefined) return values.filter((word) => word.startsWith(current));
    // The notation of the value says what it is: `<folder>` and `<file>` are paths.
    if (/[<[](?:folder|dir)/i.test(pending.flags)) return [':folders'];
    return /[<[][^>\]]*file/i.test(pending.flags) ? [':files'] : [];
  }
  const [argument] = command.registeredArguments;
  const ids = async () => (argument?.name() === 'id' ? await readAnnouncementIds(given, io) : []);
  const values = isOption ? [] : (argument?.argChoices ?? (await ids()));
  return [
    ...command.commands.map((child) => `${child.name()}\t${child.summary()}`),
    ...values,
    ...command.options.map(({ long, description }) => `${long}\t${description.replace(/\s+/g, ' ')}`),
    '--help\tprint this help',
  ].filter((line) => line.startsWith(current));
}

/**
 * The command that the words lead to, and its `path`, such as `announce publish`; the option whose value comes
 * next; and the values of the options so far, by `--name`.
 */
function readTyped(program: Command, words: readonly string[]) {
  let [command, pending]: [Command, Option | undefined] = [program, undefined];
  const path: string[] = [];
  const given = new Map<string, string>();
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word);
    if (pending !== undefined && !(pending.optional && word.startsWith('-'))) {
      given.set(pending.long ?? '', word);
      pending = undefined;
    } else if (word.startsWith('-')) {
      // One dash is enough for a long option.
      const [name] = withTwoDashes([word], command);
      const option = command.options.find(({ long, short }) => name === long || name === short);
      pending = option?.required || option?.optional ? option : undefined;
    } else if (child !== undefined) {
      command = child;
      path.push(word);
    }
  }
  return { command, path: path.join(' '), pending, given };
}

/** Values that an option lists itself, such as `<on|off>`. */
function choicesOf({ argChoices, flags }: Option): readonly string[] | undefined {
  return argChoices ?? /<(\w+(?:\|\w+)+)>/.exec(flags)?.[1]?.split('|');
}

/** Values of options that are too many, or too open, to be listed; undefined if only the user knows them. */
async function knownValues(
  place: string,
  given: ReadonlyMap<string, string>,
): Promise<readonly string[] | undefined> {
  if (place.endsWith(' --profile')) return [defaultProfile, ...readProfileNames(given.get('--data'))];
  const [command, ...rest] = place.split(' ');
  if (command === 'announce') {
    const field = fieldNames.find((name) => rest.at(-1) === `--${name}`);
    return field && fieldOf(field).choices;
  }
  if (command !== 'play' && command !== 'stats') return undefined;
  const { readPracticeValues } = await import('../../typist/practice-names.ts');
  return readPracticeValues().get(place);
}

/** The ids of the folder, store or server that the command will use; none if it cannot be read. */
async function readAnnouncementIds(given: ReadonlyMap<string, string>, io: CommandIo): Promise<string[]> {
  const { openDesk } = await import('../../desk/open-desk.ts');
  const names = { content: '--content', server: '--server', store: '--store', storePrefix: '--store-prefix' };
  const options = Object.entries(names).map(([name, long]) => [name, given.get(long)] as const);
  try {
    const desk = await openDesk(Object.fromEntries(options), io, { isReadOnly: true });
    const { announcements } = await desk.listAll({ order: 'reading' });
    // A server elsewhere may send anything: only ids without special characters of a shell are offered.
    return announcements.map(({ id }) => id).filter((id) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id));
  } catch {
    return [];
  }
}

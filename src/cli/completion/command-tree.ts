import type { Command, Option } from 'commander';

/** What a shell can offer at one place of the command line. */
export interface CommandNode {
  /** The words that lead here, such as `['announce', 'publish']`; empty for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** What its argument may be, where that is one of a few words, or of those that there are by then. */
  readonly choices: readonly string[] | ListedWords;
  readonly children: readonly CommandNode[];
}

export interface CompletedOption {
  /** As typed, such as `--port` and `-p`. */
  readonly names: readonly string[];
  readonly summary: string;
  /** What follows the option: nothing, one of a few words, a folder, a file, or something only the user knows. */
  readonly value: 'none' | 'folder' | 'file' | 'other' | readonly string[] | ListedWords;
}

/** Words that change while the script is in use. */
export interface ListedWords {
  /** Offered in any case. */
  readonly always: readonly string[];
  /** Prints the others, a line each, in every shell. Bash expands them: they must be plain words. */
  readonly command: string;
}

type KnownValue = Exclude<CompletedOption['value'], string>;

/**
 * The tree of a program whose commands are all loaded.
 *
 * @param known values that an option or an argument does not list itself: by command and option, such as `play --language`, or by command
 */
export function toCommandTree(
  command: Command,
  known: ReadonlyMap<string, KnownValue> = new Map(),
  path: readonly string[] = [],
): CommandNode {
  return {
    path,
    summary: oneLine(command.summary() || command.description()),
    options: [
      ...command.options.map((option) => toOption(option, known.get([...path, option.long].join(' ')))),
      { names: ['--help', '-h'], summary: 'print this help', value: 'none' },
    ],
    choices: known.get(path.join(' ')) ?? command.registeredArguments[0]?.argChoices ?? [],
    children: command.commands.map((child) => toCommandTree(child, known, [...path, child.name()])),
  };
}

/** Every place of the tree, the program itself first. */
export function listNodes(node: CommandNode): CommandNode[] {
  return [node, ...node.children.flatMap(listNodes)];
}

/** The names of an option with all their spellings: one dash is enough for a long one. */
export function spellingsOf({ names }: CompletedOption): string[] {
  return names.flatMap((name) => (name.startsWith('--') ? [name.slice(1), name] : [name]));
}

function toOption(option: Option, known: KnownValue | undefined): CompletedOption {
  const names = [option.long, option.short].filter((name) => typeof name === 'string');
  return { names, summary: oneLine(option.description), value: known ?? valueKindOf(option) };
}

/** The notation of the value says what it is: `<folder>` and `<file>` are paths, choices are listed. */
function valueKindOf({ flags, argChoices }: Option): CompletedOption['value'] {
  if (argChoices !== undefined) return argChoices;
  const name = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
  if (name === undefined) return 'none';
  if (/^(?:folder|dir)/i.test(name)) return 'folder';
  return /file/i.test(name) ? 'file' : 'other';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

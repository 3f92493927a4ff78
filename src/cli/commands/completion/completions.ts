import type { Command, Option } from 'commander';
import { fieldNames, fieldOf } from '../../../announcements/fields.ts';
import { readProfileNames } from '../../../tui/record/folders.ts';
import { withTwoDashes } from '../../program/arguments.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { defaultProfile } from '../../typist/profile-option.ts';

/** A word that a shell may offer, and what it means. */
export interface Offer {
  readonly word: string;
  readonly meaning?: string | undefined;
}

/** What may come next: words, or the names of files or folders, which the shell knows itself. */
export type Completions = readonly Offer[] | 'files' | 'folders';

/** Values that an option or an argument does not list itself; undefined if only the user knows them. */
export type ValueSource = (
  place: string,
  given: ReadonlyMap<string, string>,
) => Promise<readonly string[] | undefined>;

/**
 * What may come next on a command line.
 *
 * @param words what was typed after the program's name; the last one is still being typed, and may be empty
 * @param valuesOf by the command and the option, such as `play --language`, or by the command
 */
export async function completionsOf(
  program: Command,
  words: readonly string[],
  valuesOf: ValueSource,
): Promise<Completions> {
  // Bash gives `--log=json` as three words.
  const typed = words.slice(0, -1).filter((word) => word !== '=');
  const current = words.at(-1) ?? '';
  const { command, path, pending, given } = readTyped(program, typed);
  if (pending !== undefined && !(pending.optional && current.startsWith('-')))
    return valuesOfOption(pending, path, current, given, valuesOf);
  const argument = current.startsWith('-') ? undefined : command.registeredArguments[0];
  const values = argument && (argument.argChoices ?? (await valuesOf(path, given)));
  return [
    ...command.commands
      .filter((child) => !child.name().startsWith('_'))
      .map((child) => ({ word: child.name(), meaning: child.summary() })),
    ...(values ?? []).map((word) => ({ word })),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map(({ long, description }) => ({ word: long ?? '', meaning: description.replace(/\s+/g, ' ') })),
    { word: '--help', meaning: 'print this help' },
  ].filter(({ word }) => word.startsWith(current));
}

interface TypedWords {
  readonly command: Command;
  /** The words that lead to the command, such as `announce publish`. */
  readonly path: string;
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
  /** The values of the options so far, by `--name`. */
  readonly given: ReadonlyMap<string, string>;
}

function readTyped(program: Command, words: readonly string[]): TypedWords {
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

/** The notation of the value says what it is: `<folder>` and `<file>` are paths. */
async function valuesOfOption(
  { long, flags, argChoices }: Option,
  path: string,
  current: string,
  given: ReadonlyMap<string, string>,
  valuesOf: ValueSource,
): Promise<Completions> {
  const values = argChoices ?? (await valuesOf(`${path} ${long}`, given));
  if (values !== undefined)
    return values.filter((word) => word.startsWith(current)).map((word) => ({ word }));
  if (/[<[](?:folder|dir)/i.test(flags)) return 'folders';
  return /[<[][^>\]]*file/i.test(flags) ? 'files' : [];
}

const takingIds = ['edit', 'expire', 'withdraw', 'show', 'preview', 'log', 'stats'];
const fixed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['publish', 'edit'].flatMap((verb) =>
      fieldNames.map((name) => [`announce ${verb} --${name}`, fieldOf(name).choices]),
    ),
  ),
  'announce list --state': ['active', 'scheduled', 'past'],
  ...ofServer('--log', 'pretty', 'json', 'off'),
  ...ofServer('--typing', 'on', 'off'),
  ...ofServer('--desk', 'on', 'off'),
  ...ofServer('--workers', 'auto'),
};

/** What a shell may offer for options and arguments that do not list their values themselves. */
export async function readKnownValues(
  io: CommandIo,
  place: string,
  given: ReadonlyMap<string, string>,
): Promise<readonly string[] | undefined> {
  if (Object.hasOwn(fixed, place)) return fixed[place];
  const [command, verb = ''] = place.split(' ');
  if (command === 'announce' && takingIds.includes(verb) && !place.includes('--'))
    return readAnnouncementIds(given, io);
  if (place.endsWith(' --profile')) return [defaultProfile, ...readProfileNames(given.get('--data'))];
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
    const place = Object.fromEntries(options.filter(([, value]) => value !== undefined));
    const desk = await openDesk(place, io, { isReadOnly: true });
    const { announcements } = (await desk.listAll({ order: 'reading' })).value;
    // A server elsewhere may send anything: only what no shell reads more into is offered.
    return announcements.map(({ id }) => id).filter((id) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id));
  } catch {
    return [];
  }
}

function ofServer(option: string, ...values: string[]): Record<string, readonly string[]> {
  return { [`serve ${option}`]: values, [`doctor ${option}`]: values };
}

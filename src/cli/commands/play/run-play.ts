import { openSync } from 'node:fs';
import { homedir } from 'node:os';
import { ReadStream } from 'node:tty';
import { writeWholeFile } from '../../../kit/files/whole-file.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { defaultDataFolder } from '../../../server/settings/config.ts';
import type { FoundServer, LocalServer, PlaySummary } from '../../../tui/play.ts';
import { type Folders, typistFolders } from '../../../tui/record/folders.ts';
import { createOptionsSaver, type Options, type OwnText, readOptions } from '../../../tui/record/options.ts';
import { openPlayerKey, readPlayerKey } from '../../../tui/record/player-key.ts';
import { isTooSmall, smallest } from '../../../tui/terminal/painter.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
import { parseProfileName } from '../../typist/profile-option.ts';
import { checkPractice } from './check-practice.ts';
import { farewellText } from './farewell.ts';
import { findServer, type ServerRequest } from './find-server.ts';
import { createOwnSource } from './own/own-source.ts';
import { asksForList, hasPracticeFlags, type PracticeFlags, withoutPractice } from './practice-flags.ts';
import { findTextFile, reminderText, startOptions } from './start-options.ts';

/** The flags of `play`; of the screen's options only those given. */
export interface PlayFlags
  extends Omit<Partial<Options>, 'mode' | 'language' | 'layout' | 'ownLayout'>,
    PracticeFlags,
    TypistFlags {
  readonly server?: URL;
  readonly port?: number;
  readonly showKey?: boolean;
  readonly offline?: true;
  readonly startOver?: true;
}

/** @param input `-` to type the text from standard input */
export async function runPlayCommand(
  flags: PlayFlags,
  input: string | undefined,
  io: CommandIo,
): Promise<void> {
  if (flags.offline && flags.port !== undefined)
    throw new UsageError('--offline uses no server, and --port names one: leave one of them out.');
  const typist = await openTypist(flags);
  if (flags.showKey) {
    io.out.write(`${typist.givenKey ?? (await typist.ownKey())}\n`);
  } else if (asksForList(flags)) {
    const { practiceLists } = await import('./practice-lists.ts');
    io.out.write(practiceLists(flags, await readOptions(typist.folders.config)));
  } else {
    const damage: string[] = [];
    const { signal, ...summary } = await play(flags, typist, input, damage);
    for (const message of damage) io.err.write(`Note: ${safeText(message)}\n`);
    if (signal === undefined) process.stdout.write(farewellText(summary, process.stdout.columns));
    else process.kill(process.pid, signal); // its sender is to see that it worked
  }
}

function serverRequest(
  { server, port, data, offline }: PlayFlags,
  { ownKey }: Typist,
  givenKey: string | undefined,
): ServerRequest {
  return { server, port, data, isOffline: offline === true, ownKey, givenKey };
}

/** The session API of this process. A profile is a player of its own. */
async function openLocal(
  { data, profile }: PlayFlags,
  { ownKey }: Typist,
  damage: string[],
): Promise<LocalServer> {
  const { openLocalTyping } = await import('../../../server/local-typing.ts');
  const key = parseProfileName(profile) === undefined ? undefined : await ownKey();
  const onDamage = (message: string) => void damage.push(message);
  return openLocalTyping({ dataDir: data ?? defaultDataFolder(), key, onDamage });
}

/** @param damage takes a sentence for each damaged file of the record, for the end: nobody is told again */
async function play(
  flags: PlayFlags,
  typist: Typist,
  input: string | undefined,
  damage: string[],
): Promise<PlaySummary> {
  const { server, startOver, language } = flags;
  const { folders } = typist;
  const file = await findTextFile(flags, input);
  const saved = await readOptions(folders.config);
  const { options, greeting } = await startOptions(saved, screenOptions(flags), flags);
  let local: Promise<LocalServer> | undefined;
  const openOnce = () => {
    local ??= openLocal(flags, typist, damage);
    return local;
  };
  const checkHere = async () => checkPractice((await openOnce()).call, 'this computer', options);
  const problem = findTerminalProblem(file === '-');
  // A wrong value is reported even without a terminal. What another server offers is not known here.
  const isChosen = hasPracticeFlags(flags);
  if (isChosen && server === undefined) await checkHere();
  if (problem !== undefined) throw new Error(problem);
  const request = serverRequest(flags, typist, await typist.readSentKey());
  const own = createOwnSource({ data: folders.data, language, pattern: flags.file });
  const ownText =
    flags.list !== undefined
      ? await own.readList(flags.list, options)
      : file === undefined
        ? undefined
        : await own.readText(file, options, startOver === true);
  const saveOptions = createOptionsSaver(
    folders.config,
    { ...options, ...practiceOf(saved) },
    writeWholeFile,
  );
  const { ownTheme } = options;
  if (ownTheme !== saved.ownTheme) {
    // The file is not needed again.
    const save = createOptionsSaver(folders.config, saved, writeWholeFile);
    await save({ ...saved, theme: 'own', ownTheme }).catch(() => {});
  }
  const { runPlay } = await import('../../../tui/play.ts');
  return runPlay({
    stdin: openKeyTerminal(file === '-'),
    stdout: process.stdout,
    depth: colourDepth(),
    options,
    saveOptions,
    greeting: greetingOf(greeting, ownText, reminderText(options, flags)),
    profile: parseProfileName(flags.profile) ?? '',
    ownText,
    readText: (path, now) => own.readText(path.replace(/^~(?=[/\\])/, homedir()), now, false),
    folders,
    openLocal: openOnce,
    async findServer(ending) {
      const found = await findServer(request, ending);
      if (isChosen) {
        const isThere = server !== undefined && found?.away === '';
        if (await (isThere ? checkThere(found, options) : checkHere())) {
          await saveOptions(options).catch(() => {}); // a full disk is reported when something is changed on the screen
        }
      }
      return found;
    },
    async readHistory() {
      const { readTypistHistory } = await import('../../typist/own-rounds.ts');
      const history = await readTypistHistory({ data: flags.data, profile: flags.profile });
      damage.push(...history.warnings);
      return history;
    },
  });
}

/** What was changed in a text comes before what is practised as last time. */
function greetingOf(greeting: string, ownText: OwnText | undefined, reminder: string): string {
  const about = ownText === undefined ? reminder : (ownText.notice ?? '');
  return greeting === '' ? about : greeting;
}

async function checkThere({ url, key }: FoundServer, options: Options): Promise<boolean> {
  const { createHttpTransport } = await import('../../../tui/link/http-transport.ts');
  const http = createHttpTransport(url, { key });
  try {
    return await checkPractice(http.call, 'the server', options);
  } finally {
    http.close();
  }
}

/** The flags that are options of the screen. */
function screenOptions(flags: PlayFlags): Partial<Options> {
  const { server, port, data, keyFile, showKey, profile, offline, startOver, ...chosen } = flags;
  return withoutPractice(chosen);
}

/** What is practised when no flag says so: it is saved only once a server is known to have it. */
function practiceOf({ mode, language, layout, ownLayout }: Options) {
  return { mode, language, layout, ownLayout };
}

/** Why play cannot be shown here; undefined if it can. */
function findTerminalProblem(isPiped: boolean): string | undefined {
  const { stdin, stdout, env } = process;
  if ((!stdin.isTTY && !isPiped) || !stdout.isTTY) {
    return 'play needs a terminal to draw on and to read keys from: run it without pipes and redirections. For your results, use "typebadge stats".';
  }
  if (env.TERM === 'dumb') return 'this terminal cannot position text (TERM=dumb): run play in another one.';
  const { columns, rows } = stdout;
  return isTooSmall({ columns, rows })
    ? `this terminal has ${columns} x ${rows} characters, and play needs ${smallest.columns} x ${smallest.rows}: enlarge the window and start again.`
    : undefined;
}

/** In bits. NO_COLOR (no-color.org) wins; otherwise what the terminal says of itself. */
function colourDepth(): number {
  return process.env.NO_COLOR ? 1 : process.stdout.getColorDepth();
}

/** Where the keys come from: standard input, or the terminal itself if that is a pipe with a text. */
function openKeyTerminal(isPiped: boolean): ReadStream & { readonly fd: number } {
  if (!isPiped) return process.stdin;
  try {
    const fd = openSync('/dev/tty', 'r+');
    return Object.assign(new ReadStream(fd), { fd });
  } catch {
    throw new Error('play needs a terminal to read keys from, and this process has none (/dev/tty).');
  }
}

/** Whose rounds are typed: where they are kept, and by what key a server knows the typist. */
export interface Typist {
  readonly folders: Folders;
  /** The key of the profile, made where there is none yet. */
  readonly ownKey: () => Promise<string>;
  /** The key that the user names. */
  readonly givenKey: string | undefined;
  /** The key that every server gets; undefined: only those that need one get `ownKey`. */
  readSentKey(): Promise<string | undefined>;
}

export interface TypistFlags {
  readonly data?: string;
  readonly keyFile?: string;
  readonly profile?: string;
}

async function openTypist({ data, keyFile, profile: name }: TypistFlags): Promise<Typist> {
  const profile = parseProfileName(name);
  const folders = typistFolders(data, profile);
  const ownKey = () => openPlayerKey(folders.config);
  const givenKey = keyFile === undefined ? undefined : await readPlayerKey(keyFile);
  // Without a key all profiles would be one player for a server on this machine.
  const readSentKey = async () => givenKey ?? (profile === undefined ? undefined : await ownKey());
  return { folders, ownKey, givenKey, readSentKey };
}

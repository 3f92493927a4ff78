import { openSync } from 'node:fs';
import { homedir } from 'node:os';
import { ReadStream } from 'node:tty';
import type { Transport } from '../../../contract/transport.ts';
import { replaceFile } from '../../../kit/files/atomic-file.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { defaultDataFolder } from '../../../server/settings/config.ts';
import { ServerProblem } from '../../../tui/link/answers.ts';
import { createSessionApi } from '../../../tui/link/session.ts';
import type { FoundServer, LocalServer, PlaySummary } from '../../../tui/play.ts';
import { typistFolders } from '../../../tui/record/folders.ts';
import { optionRows } from '../../../tui/record/option-table.ts';
import { createOptionsSaver, type Options, readOptions } from '../../../tui/record/options.ts';
import { openPlayerKey, readPlayerKey } from '../../../tui/record/player-key.ts';
import { newState, sessionSetup } from '../../../tui/state/state.ts';
import { isTooSmall, minSize } from '../../../tui/terminal/painter.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
import { parseProfileName } from '../../typist/profile-option.ts';
import { createTextSource } from './custom/text-source.ts';
import { farewellText } from './farewell.ts';
import { findServer } from './find-server.ts';
import { asksForList, hasPracticeFlags, type PracticeFlags } from './practice-flags.ts';
import { findTextFile, startOptions } from './start-options.ts';

/** The flags of `play`; of the screen's options only those given. */
export interface PlayFlags
  extends Omit<Partial<Options>, 'mode' | 'language' | 'layout' | 'customTheme'>,
    PracticeFlags {
  readonly data?: string;
  readonly keyFile?: string;
  readonly profile?: string;
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
    io.out.write(`${typist.givenKey ?? (await typist.playerKey())}\n`);
  } else if (asksForList(flags)) {
    const { practiceLists } = await import('./practice-lists.ts');
    io.out.write(practiceLists(flags));
  } else {
    const damage: string[] = [];
    const { signal, ...summary } = await play(flags, typist, input, damage);
    for (const message of damage) io.err.write(`Note: ${safeText(message)}\n`);
    if (signal === undefined) process.stdout.write(farewellText(summary));
    else process.kill(process.pid, signal); // so that its sender sees the effect
  }
}

/** The session API of this process. Each profile is a separate player. */
async function openLocal(
  { data, profile }: PlayFlags,
  { playerKey }: Typist,
  damage: string[],
): Promise<LocalServer> {
  const { openLocalTyping } = await import('../../../server/local-typing.ts');
  const key = parseProfileName(profile) === undefined ? undefined : await playerKey();
  const onDamage = (message: string) => void damage.push(message);
  return openLocalTyping({ dataDir: data ?? defaultDataFolder(), key, onDamage });
}

/** @param damage collects a sentence for each damaged file of the store, to print once at the end */
async function play(
  flags: PlayFlags,
  typist: Typist,
  input: string | undefined,
  damage: string[],
): Promise<PlaySummary> {
  const { server, port, data, offline, startOver } = flags;
  const { folders } = typist;
  const file = findTextFile(flags, input);
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
  const { playerKey } = typist;
  const givenKey = await typist.readSentKey();
  const request = { server, port, data, isOffline: offline === true, playerKey, givenKey };
  const texts = createTextSource(folders.data, flags.file);
  const customText =
    flags.list !== undefined
      ? await texts.readList(flags.list, options)
      : file === undefined
        ? undefined
        : await texts.readText(file, options, startOver === true);
  // What is practised is saved only once a server is known to have it.
  const { mode, language, layout } = saved;
  const saveOptions = createOptionsSaver(folders.config, { ...options, mode, language, layout }, replaceFile);
  const { customTheme } = options;
  if (customTheme !== saved.customTheme) {
    // The file is not needed again.
    const save = createOptionsSaver(folders.config, saved, replaceFile);
    await save({ ...saved, theme: 'own', customTheme }).catch(() => {});
  }
  const { runPlay } = await import('../../../tui/play.ts');
  return runPlay({
    stdin: openKeyTerminal(file === '-'),
    stdout: process.stdout,
    depth: colourDepth(),
    options,
    saveOptions,
    greeting: greeting || (customText?.notice ?? ''),
    profile: parseProfileName(flags.profile) ?? '',
    customText,
    readText: (path, now) => texts.readText(path.replace(/^~(?=[/\\])/, homedir()), now, false),
    folders,
    openLocal: openOnce,
    async findServer(ending) {
      const found = await findServer(request, ending);
      if (isChosen) {
        const isThere = server !== undefined && found?.away === '';
        if (await (isThere ? checkThere(found, options) : checkHere())) {
          await saveOptions(options).catch(() => {}); // reported at the next change on the screen
        }
      }
      return found;
    },
    async readHistory() {
      const { readTypistHistory } = await import('../../typist/local-rounds.ts');
      const history = await readTypistHistory({ data, profile: flags.profile });
      damage.push(...history.warnings);
      return history;
    },
  });
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

/**
 * Rejects with a `UsageError` if what was chosen on the command line is not offered.
 *
 * @param who whose lists they are, such as `the server`
 * @returns whether it is known to be offered: a server may be busy
 */
async function checkPractice(call: Transport, who: string, options: Options): Promise<boolean> {
  const api = createSessionApi(call);
  try {
    await api.deleteSession(await api.createSession(sessionSetup(newState(options))));
    return true;
  } catch (problem) {
    if (!(problem instanceof ServerProblem) || problem.code !== 'INVALID_REQUEST') return false;
    const reason = problem.message.replace(/\.$/, '');
    throw new UsageError(
      `${who} does not offer this: ${reason}. All names: --language list, --layout list, --code list.`,
    );
  }
}

/** The flags that are options of the screen. */
function screenOptions(flags: PlayFlags): Partial<Options> {
  const given = optionRows.filter(({ key }) => flags[key] !== undefined);
  return Object.fromEntries(given.map(({ key }) => [key, flags[key]]));
}

/** Why play cannot run in this terminal; undefined if it can. */
function findTerminalProblem(isPiped: boolean): string | undefined {
  const { stdin, stdout, env } = process;
  if ((!stdin.isTTY && !isPiped) || !stdout.isTTY) {
    return 'play needs a terminal to draw on and to read keys from: run it without pipes and redirections. For your results, use "typebadge stats".';
  }
  if (env.TERM === 'dumb') return 'this terminal cannot position text (TERM=dumb): run play in another one.';
  const { columns, rows } = stdout;
  return isTooSmall({ columns, rows })
    ? `this terminal has ${columns} x ${rows} characters, and play needs ${minSize.columns} x ${minSize.rows}: enlarge the window and start again.`
    : undefined;
}

/** NO_COLOR (no-color.org) wins; otherwise as the terminal reports, in bits per colour. */
function colourDepth(): number {
  return process.env.NO_COLOR ? 1 : process.stdout.getColorDepth();
}

/** Standard input, or the terminal itself if standard input is a pipe with a text. */
function openKeyTerminal(isPiped: boolean): ReadStream & { readonly fd: number } {
  if (!isPiped) return process.stdin;
  try {
    const fd = openSync('/dev/tty', 'r+');
    return Object.assign(new ReadStream(fd), { fd });
  } catch {
    throw new Error('play needs a terminal to read keys from, and this process has none (/dev/tty).');
  }
}

type Typist = Awaited<ReturnType<typeof openTypist>>;

/** The typist: the folders of the rounds, and the key that identifies the typist to servers. */
async function openTypist({ data, keyFile, profile: name }: PlayFlags) {
  const profile = parseProfileName(name);
  const folders = typistFolders(data, profile);
  /** The key of the profile, created if there is none yet. */
  const playerKey = () => openPlayerKey(folders.config);
  /** The key that the user names. */
  const givenKey = keyFile === undefined ? undefined : await readPlayerKey(keyFile);
  // Without a key all profiles would be one player for a server on this machine.
  const readSentKey = async () => givenKey ?? (profile === undefined ? undefined : await playerKey());
  return { folders, playerKey, givenKey, readSentKey };
}

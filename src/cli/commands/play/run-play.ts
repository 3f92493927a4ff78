import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { replaceFile } from '../../../kit/files/atomic-file.ts';
import { plural, safeText } from '../../../kit/terminal-text.ts';
import { defaultDataFolder } from '../../../server/settings/config.ts';
import type { PlaySummary, Remainder } from '../../../tui/play.ts';
import { hasSpeed, percentText } from '../../../tui/progress/figures.ts';
import { typistFolders } from '../../../tui/record/folders.ts';
import { optionRows } from '../../../tui/record/option-table.ts';
import { createOptionsSaver, type Options, readOptions } from '../../../tui/record/options.ts';
import { openPlayerKey, readPlayerKey } from '../../../tui/record/player-key.ts';
import { leftPlaceText } from '../../../tui/state/text.ts';
import { isTooSmall, minSize } from '../../../tui/terminal/painter.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
import { parseProfileName } from '../../typist/profile-option.ts';
import { openCustomText } from './custom-text.ts';
import { findServer } from './find-server.ts';
import { modeOf, type PracticeFlags } from './practice-flags.ts';
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
  const named = { language: flags.language, layout: flags.layout, code: flags.code?.language };
  const lists = (['language', 'layout', 'code'] as const).filter((kind) => named[kind] === 'list');
  if (flags.showKey) {
    io.out.write(`${typist.givenKey ?? (await typist.playerKey())}\n`);
  } else if (lists.length > 0) {
    const { nameList } = await import('../../typist/practice-names.ts');
    io.out.write(lists.map(nameList).join('\n'));
  } else {
    const damage: string[] = [];
    const { signal, ...summary } = await play(flags, typist, input, damage);
    for (const message of damage) io.err.write(`Note: ${safeText(message)}\n`);
    if (signal === undefined) process.stdout.write(farewellText(summary));
    else process.kill(process.pid, signal); // so that its sender sees the effect
  }
}

type Typist = Awaited<ReturnType<typeof openTypist>>;

async function openTypist({ data, keyFile, profile }: PlayFlags) {
  const name = parseProfileName(profile);
  const folders = typistFolders(data, name);
  /** The key of the profile, created if there is none yet. */
  const playerKey = () => openPlayerKey(folders.config);
  /** Each profile is a separate player, also for this computer. */
  const profileKey = async () => (name === undefined ? undefined : playerKey());
  const givenKey = keyFile === undefined ? undefined : await readPlayerKey(keyFile);
  return { name, folders, playerKey, profileKey, givenKey };
}

/** @param damage collects a sentence for each damaged file of the store, to print once at the end */
async function play(
  flags: PlayFlags,
  { name, folders, playerKey, profileKey, givenKey }: Typist,
  input: string | undefined,
  damage: string[],
): Promise<PlaySummary> {
  const { server, port, data, offline } = flags;
  const file = findTextFile(flags, input);
  const saved = await readOptions(folders.config);
  const given = optionRows.filter(({ key }) => flags[key] !== undefined).map(({ key }) => [key, flags[key]]);
  const { options, greeting } = await startOptions(saved, Object.fromEntries(given), flags);
  requireTerminal(file === '-');

  const request = { server, port, data, isOffline: offline === true, playerKey };
  const serverRequest = { ...request, givenKey: givenKey ?? (await profileKey()) };
  const customText = await openCustomText(flags, file, options, folders.data);

  // Other flags apply to this run only; the file of a theme is not needed again.
  const { mode, language, layout, theme, customTheme } = saved;
  const isNewTheme = options.customTheme !== customTheme;
  const remembered = { mode, language, layout, ...(isNewTheme && { theme, customTheme }) };
  const saveOptions = createOptionsSaver(folders.config, { ...options, ...remembered }, replaceFile);
  await saveOptions(options).catch(() => {}); // reported at the next change on the screen

  const { runPlay } = await import('../../../tui/play.ts');
  return runPlay({
    stdin: openKeyTerminal(file === '-'),
    stdout: process.stdout,
    // NO_COLOR (no-color.org) wins; otherwise as the terminal reports, in bits per colour.
    depth: process.env.NO_COLOR ? 1 : process.stdout.getColorDepth(),
    options,
    saveOptions,
    greeting: greeting || (customText?.notice ?? ''),
    profile: name ?? '',
    customText,
    isChosen: (file ?? modeOf(flags) ?? flags.language ?? flags.layout) !== undefined,
    folders,
    async openLocal() {
      const { openLocalTyping } = await import('../../../server/local-typing.ts');
      const onDamage = (message: string) => void damage.push(message);
      return openLocalTyping({ dataDir: data ?? defaultDataFolder(), key: await profileKey(), onDamage });
    },
    findServer: (ending) => findServer(serverRequest, ending),
    async readHistory() {
      const { readTypistHistory } = await import('../../typist/local-rounds.ts');
      const history = await readTypistHistory({ data, profile: flags.profile });
      damage.push(...history.warnings);
      return history;
    },
  });
}

function requireTerminal(isPiped: boolean): void {
  const { stdin, stdout, env } = process;
  if ((!stdin.isTTY && !isPiped) || !stdout.isTTY)
    throw new Error(
      'play needs a terminal to draw on and to read keys from: run it without pipes and redirections. For your results, use "typebadge stats".',
    );
  if (env.TERM === 'dumb')
    throw new Error('this terminal cannot position text (TERM=dumb): run play in another one.');
  const { columns, rows } = stdout;
  if (isTooSmall({ columns, rows }))
    throw new Error(
      `this terminal has ${columns} x ${rows} characters, and play needs ${minSize.columns} x ${minSize.rows}: enlarge the window and start again.`,
    );
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

type Score = PlaySummary['scores'][number];
type Scores = readonly Pick<Score, 'standard_wpm' | 'accuracy' | 'seconds' | 'verdict'>[];

/** What remains in the terminal after play: the scores, and what became of the last round. */
export function farewellText({ scores, remainder }: { scores: Scores; remainder: Remainder }): string {
  const sentences = [...scoreSentences(scores), remainderSentence(remainder, scores.length)];
  return `${sentences.filter((sentence) => sentence !== '').join('\n')}\n`;
}

function scoreSentences(scores: Scores): string[] {
  const last = scores.at(-1);
  if (last === undefined) return [];
  const speed = hasSpeed(last) ? `${last.standard_wpm.toFixed(1)} WPM at` : 'too short to tell a speed,';
  const figures = `${speed} ${percentText(last.accuracy)} %${last.verdict === null ? '' : ' (not counted)'}`;
  return [scores.length === 1 ? `One round: ${figures}.` : `${scores.length} rounds: the last ${figures}.`];
}

function remainderSentence(remainder: Remainder, finished: number): string {
  if (remainder.kind === 'kept')
    return `The unfinished round is kept: "typebadge play" continues ${leftPlaceText(remainder.round)}.`;
  if (remainder.kind === 'unsaved')
    return `${plural(remainder.count, 'finished round')} could not be saved: the disk is full or cannot be written to.`;
  return {
    discarded: 'The unfinished round was discarded.',
    lost: 'The unfinished round could not be saved: writing to the disk failed.',
    undelivered: 'The last round waits for the server: a later start delivers it.',
    nothing: finished === 0 ? 'Nothing was typed.' : '',
  }[remainder.kind];
}

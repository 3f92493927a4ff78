import { writeWholeFile } from '../../server/whole-file.ts';
import { toFolders } from '../../tui/record/folders.ts';
import { createOptionsSaver, type Options, readOptions } from '../../tui/record/options.ts';
import { isTooSmall, smallest } from '../../tui/screen/size.ts';
import { findServer } from './find-server.ts';

/** The flags of `play`; of the screen's options only those given. */
export interface PlayFlags extends Partial<Options> {
  readonly server?: URL;
  readonly port?: number;
  readonly data?: string;
  readonly punctuation?: boolean;
}

export async function runPlayCommand(flags: PlayFlags): Promise<void> {
  const { server, port, data, punctuation = false, ...screen } = flags;
  checkTerminal();
  const folders = toFolders(data);
  const saved = await readOptions(folders.config);
  const options: Options = { ...saved, ascii: saved.ascii || !isUtf8(process.env), ...screen };
  const { runPlay } = await import('../../tui/play.ts');
  const { scores, signal } = await runPlay({
    stdin: process.stdin,
    stdout: process.stdout,
    depth: toDepth(),
    options,
    saveOptions: createOptionsSaver(folders.config, options, writeWholeFile),
    folders,
    punctuation,
    findServer: (ending) => findServer({ server, port, data }, ending),
  });
  if (signal !== undefined) {
    process.kill(process.pid, signal); // whoever sent it is to see that it worked
    return;
  }
  process.stdout.write(toFarewell(scores));
}

function checkTerminal(): void {
  const { stdin, stdout, env } = process;
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new Error(
      'play needs a terminal to draw on and to read keys from: run it without pipes and redirections. For figures, use "typebadge stats".',
    );
  }
  if (env.TERM === 'dumb') {
    throw new Error('this terminal cannot place text on the screen (TERM=dumb): run play in another one.');
  }
  const { columns, rows } = stdout;
  if (isTooSmall({ columns, rows })) {
    throw new Error(
      `this terminal has ${columns} x ${rows} characters, and play needs ${smallest.columns} x ${smallest.rows}: enlarge the window and start again.`,
    );
  }
}

/** NO_COLOR (no-color.org) wins over everything; else what the terminal says of itself, in bits per colour. */
function toDepth(): number {
  return process.env.NO_COLOR ? 1 : process.stdout.getColorDepth();
}

/** The character set of the locale (POSIX: the first of these that is set); Windows and macOS terminals know UTF-8. */
function isUtf8(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

/** One line that stays when the screen is gone. */
function toFarewell(scores: readonly { readonly wpm: number; readonly accuracy: number }[]): string {
  const last = scores.at(-1);
  if (last === undefined) return '';
  const best = Math.max(...scores.map(({ wpm }) => wpm));
  const figures = `${last.wpm.toFixed(1)} WPM at ${(Math.floor(last.accuracy * 10) / 10).toFixed(1)} %`;
  if (scores.length === 1) return `One round: ${figures}.\n`;
  return `${scores.length} rounds: the last ${figures}, the fastest ${best.toFixed(1)} WPM.\n`;
}

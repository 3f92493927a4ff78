import { existsSync } from 'node:fs';
import { toVisible } from '../../../kit/visible-text.ts';
import { withOptions } from '../../../tui/record/option-table.ts';
import { type Options, toChosenOwnLayout } from '../../../tui/record/options.ts';
import { chosenText } from '../../../tui/state/text.ts';
import { qwerty } from '../../../typing/letters/layout.ts';
import { UsageError } from '../../program/command-io.ts';
import { checkRules } from '../../typist/option-flags.ts';
import { isLayoutFile, readLayoutFile } from './own/own-layout-file.ts';
import { hasPracticeFlags, modeOf, type PracticeFlags } from './practice-flags.ts';

export interface StartOptions {
  readonly options: Options;
  /** One sentence to begin with; empty where everything is as it was left. */
  readonly greeting: string;
}

/** The saved options with those that the command line gives. */
export async function startOptions(
  saved: Options,
  screen: Partial<Options>,
  flags: PracticeFlags,
): Promise<StartOptions> {
  checkRules(screen);
  const isLost = saved.layout.startsWith('own-') && toChosenOwnLayout(saved) === undefined;
  const practice = await practiceChosen(flags);
  const change = {
    ascii: saved.ascii || !isUtf8(process.env),
    ...(isLost ? { layout: qwerty.id } : {}),
    ...screen,
    ...practice,
  };
  const greeting = isLost && flags.layout === undefined ? lostLayout : '';
  return { options: withOptions(saved, change), greeting };
}

/** No server knows a layout of the typist's own by its id alone. */
const lostLayout = 'Your own layout is no longer in the options; using QWERTY.';

/** What is practised because it was chosen last, and how to change it; empty where that is the usual, or was just asked for. */
export function reminderText(options: Options, flags: PracticeFlags): string {
  // A typist with a goal is not a newcomer, and its line is shown here.
  const name = hasPracticeFlags(flags) || options.goal > 0 ? '' : chosenText(options);
  return name === '' ? '' : `As last time: ${name}. Ctrl+P changes it.`;
}

async function practiceChosen(flags: PracticeFlags): Promise<Partial<Options>> {
  const mode = modeOf(flags);
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(flags.language === undefined ? {} : { language: await findLanguage(flags.language) }),
    ...(flags.layout === undefined ? {} : await findLayout(flags.layout)),
  };
}

async function findLanguage(given: string): Promise<string> {
  return (await import('../../typist/practice-names.ts')).findLanguageId(given);
}

async function findLayout(given: string): Promise<Pick<Options, 'layout'> & Partial<Options>> {
  if (!isLayoutFile(given))
    return { layout: (await import('../../typist/practice-names.ts')).findLayoutId(given) };
  const ownLayout = await readLayoutFile(given);
  return { layout: ownLayout.id, ownLayout };
}

/** The character set of the locale (POSIX: the first of these that is set); Windows and macOS terminals know UTF-8. */
function isUtf8(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

/** The file to type, `-` for standard input: given as the argument or with `--text`. */
export async function findTextFile(
  flags: PracticeFlags,
  input: string | undefined,
): Promise<string | undefined> {
  if (input === undefined) return flags.text;
  if (input !== '-' && !existsSync(input)) throw new UsageError(await unknownFileText(input));
  if (flags.text !== undefined || modeOf(flags) !== undefined) {
    throw new UsageError(`"${toVisible(input)}" already names a text: leave the other mode out.`);
  }
  return input;
}

async function unknownFileText(input: string): Promise<string> {
  const { wordHint } = await import('./unknown-option.ts');
  const hint = await wordHint(input);
  return `play takes a text file, or "-" for standard input, and there is no file "${toVisible(input)}".${hint}`;
}

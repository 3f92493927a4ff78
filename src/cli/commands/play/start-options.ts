import { existsSync } from 'node:fs';
import { visibleText } from '../../../kit/visible-text.ts';
import type { Library } from '../../../server/typing/library.ts';
import { withOptions } from '../../../tui/record/option-table.ts';
import type { Options } from '../../../tui/record/options.ts';
import { layoutGapText } from '../../../tui/state/layout-gap.ts';
import { englishName } from '../../../typing/letters/language.ts';
import { describeMode } from '../../../typing/modes/mode.ts';
import { UsageError } from '../../program/command-io.ts';
import { checkRules, isThemeFile } from '../../typist/option-flags.ts';
import { layoutOf } from './custom/text-source.ts';
import { readThemeFile } from './custom/theme-file.ts';
import { modeOf, type PracticeFlags } from './practice-flags.ts';

export interface StartOptions {
  readonly options: Options;
  /** One sentence to show at the start; empty for none. */
  readonly greeting: string;
}

/** The saved options, overridden by those of the command line. */
export async function startOptions(
  saved: Options,
  screen: Partial<Options>,
  flags: PracticeFlags,
): Promise<StartOptions> {
  checkRules(screen);
  const practice = await practiceChosen(flags);
  const change = {
    ascii: saved.ascii || !isUtf8(process.env),
    ...screen,
    ...practice,
    ...(await customThemeOf(screen, saved)),
  };
  const options = withOptions(saved, change);
  if (flags.drill?.targets !== undefined) await checkTargets(flags.drill.targets, options.language);
  if (flags.language !== undefined && describeMode(options.mode.type).isEnglish)
    await requireLanguage(options.language);
  const isChosen = flags.language !== undefined || flags.layout !== undefined;
  return { options, greeting: isChosen ? await gapText(options) : '' };
}

/** The colours of the file that `--theme` names. */
async function customThemeOf(
  { theme = 'classic' }: Partial<Options>,
  saved: Options,
): Promise<Partial<Options>> {
  if (isThemeFile(theme)) return { theme: 'own', customTheme: await readThemeFile(theme) };
  if (theme === 'own' && saved.customTheme === null)
    throw new UsageError('--theme own has no colours yet: name a file, such as --theme colours.json');
  return {};
}

/** @throws UsageError if no word has any of them; an unknown language is reported later */
/** For modes whose rounds ask no server for this language: it would be remembered, and refused later. */
async function requireLanguage(id: string): Promise<void> {
  const known = (await readLibrary()).languages();
  if (known.some((language) => language.id === id)) return;
  throw new UsageError(`--language "${visibleText(id)}" is not known; --language list shows all`);
}

async function checkTargets(targets: readonly string[], id: string): Promise<void> {
  const library = await readLibrary();
  const language = library.languages().find((each) => each.id === id);
  if (language === undefined) return;
  const words = library.wordsOf(id);
  const parts = targets.map((target) => target.toLocaleLowerCase(id));
  if (words.some((word) => parts.some((part) => word.includes(part)))) return;
  throw new UsageError(
    `no ${englishName(id)} word has ${parts.join(' or ')}; the letters of ${englishName(id)} are ${language.alphabet}.`,
  );
}

async function readLibrary(): Promise<Library> {
  return (await import('../../../server/typing/library.ts')).openLibrary();
}

/** What the layout lacks of the language. */
async function gapText(options: Options): Promise<string> {
  const library = await readLibrary();
  const catalog = { languages: library.languages(), layouts: library.layouts() };
  return layoutGapText(catalog, options.language, await layoutOf(options));
}

async function practiceChosen(flags: PracticeFlags): Promise<Partial<Options>> {
  const mode = modeOf(flags);
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(flags.language === undefined ? {} : { language: (await readNames()).findLanguageId(flags.language) }),
    ...(flags.layout === undefined ? {} : { layout: (await readNames()).findLayoutId(flags.layout) }),
  };
}

function readNames() {
  return import('../../typist/practice-names.ts');
}

/** The character set of the locale (POSIX: the first that is set); Windows and macOS terminals use UTF-8. */
function isUtf8(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

/** The file to type, `-` for standard input: given as the argument or with `--text`. */
export function findTextFile(flags: PracticeFlags, input: string | undefined): string | undefined {
  if (input === undefined) return flags.text ?? (flags.file === undefined ? undefined : '.');
  const name = visibleText(input);
  if (input !== '-' && !existsSync(input))
    throw new UsageError(
      `play types a text file, a folder, or "-" for standard input; there is no file "${name}".`,
    );
  if (flags.text !== undefined || modeOf(flags) !== undefined)
    throw new UsageError(`"${name}" already names a text: leave the other mode out.`);
  return input;
}

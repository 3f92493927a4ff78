import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import type { Library } from '../../../server/typing/library.ts';
import type { ThemeColours } from '../../../tui/look/themes.ts';
import { withOptions } from '../../../tui/record/option-table.ts';
import { type Options, ThemeColoursSchema } from '../../../tui/record/options.ts';
import { layoutGapText } from '../../../tui/state/layout-gap.ts';
import { languageOfEnding } from '../../../tui/view/source-languages.ts';
import { englishName } from '../../../typing/letters/language.ts';
import { countedLanguage } from '../../../typing/modes/practice.ts';
import { UsageError } from '../../program/command-io.ts';
import { isThemeFile } from '../../typist/option-flags.ts';
import { modeOf, type PracticeFlags } from './practice-flags.ts';

/**
 * The saved options, overridden by those of the command line; `greeting` is one sentence to show at the start,
 * or empty.
 */
export async function startOptions(
  saved: Options,
  screen: Partial<Options>,
  flags: PracticeFlags,
): Promise<{ readonly options: Options; readonly greeting: string }> {
  if (screen.stopOn === 'word' && screen.backspace === 'none')
    throw new UsageError('--stop-on word needs Backspace to correct the word: leave --no-backspace out.');
  const options = withOptions(saved, {
    ascii: saved.ascii || !isUtf8(process.env),
    ...screen,
    ...(await practiceChosen(flags)),
    ...(await customThemeOf(screen, saved)),
  });
  const { targets } = flags.drill ?? {};
  const isChosen = flags.language !== undefined || flags.layout !== undefined;
  if (targets === undefined && !isChosen) return { options, greeting: '' };
  const library = (await import('../../../server/typing/library.ts')).openLibrary();
  const [languages, layouts] = [library.languages(), library.layouts()];
  const language = languages.find(({ id }) => id === options.language);
  if (targets !== undefined && language !== undefined) requireWords(library, language, targets);
  const layout = library.layoutOf(options.layout);
  const typed = countedLanguage(options.mode.type, options.language);
  return { options, greeting: isChosen ? layoutGapText({ languages, layouts }, typed, layout) : '' };
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

/** @throws UsageError if no word of the language has any of these letters or bigrams */
function requireWords(
  library: Library,
  { id, alphabet }: ReturnType<Library['languages']>[number],
  targets: readonly string[],
): void {
  const parts = targets.map((target) => target.toLocaleLowerCase(id));
  if (library.wordsOf(id).some((word) => parts.some((part) => word.includes(part)))) return;
  const name = englishName(id);
  throw new UsageError(`no ${name} word has ${parts.join(' or ')}; the letters of ${name} are ${alphabet}.`);
}

/** What the flags choose; names are checked, because rounds are kept here, whichever server they are for. */
async function practiceChosen(flags: PracticeFlags): Promise<Partial<Options>> {
  const { language, layout } = flags;
  const mode = modeOf(flags);
  if (mode?.type !== 'code' && language === undefined && layout === undefined) return mode ? { mode } : {};
  const { findId } = await import('../../typist/practice-names.ts');
  return {
    ...(mode && {
      mode: mode.type === 'code' ? { ...mode, language: findId('code', mode.language) } : mode,
    }),
    ...(language !== undefined && { language: findId('language', language) }),
    ...(layout !== undefined && { layout: findId('layout', layout) }),
  };
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
  const named = flags.code?.language ?? flags.language;
  const [ending] = [...languageOfEnding].find(([, language]) => language === named) ?? [];
  if (ending) throw new UsageError(`for ${named} in a folder, say --file "*.${ending}".`);
  if (flags.text !== undefined || modeOf(flags) !== undefined)
    throw new UsageError(`"${name}" already names a text: leave the other mode out.`);
  return input;
}

/** In bytes: a hundred times what a theme needs. */
const maxFile = 64 * 1024;

/** The twelve colours in a JSON file. Rejects with a UsageError that says all that is wrong. */
export async function readThemeFile(file: string): Promise<ThemeColours> {
  const wrong = (problem: string) =>
    new UsageError(
      `the theme in "${visibleText(file)}" ${visibleText(problem)}. docs/playing.md has an example.`,
    );
  const bytes = await readRegularFile(file, maxFile).catch((error: Error) => {
    throw wrong(`cannot be read: ${error.message}`);
  });
  let given: unknown;
  try {
    given = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrong(`is not JSON (${(error as Error).message})`);
  }
  const { success, output, issues = [] } = v.safeParse(ThemeColoursSchema, given);
  if (success) return output;
  // A colour that is missing or unknown is named by the message itself.
  const nameOf = ({ type, path }: (typeof issues)[number]) =>
    type === 'strict_object' ? '' : `${path?.[0]?.key} `;
  throw wrong(issues.map((issue) => `${nameOf(issue)}${issue.message}`).join('; '));
}

import { tableRows } from '../../kit/terminal-text.ts';
import { visibleText } from '../../kit/visible-text.ts';
import { readLanguages } from '../../server/stores/languages.ts';
import { openLibrary, readLayouts } from '../../server/typing/library.ts';
import { englishName } from '../../typing/letters/language.ts';
import { modeNames, modes } from '../../typing/modes/mode.ts';
import { UsageError } from '../program/command-io.ts';
import { optionValues } from './option-flags.ts';

/** Short names of the languages of code. */
const codeAliases: Readonly<Record<string, readonly string[]>> = {
  typescript: ['ts'],
  javascript: ['js'],
  python: ['py'],
  rust: ['rs'],
  bash: ['sh', 'shell'],
  go: ['golang'],
  html: ['htm'],
};

/** What can be chosen by its name: of each the id, and then other names. The lists are read from the package. */
const rowsOf = {
  language: () => [...readLanguages().values()].map(({ id, name }) => [id, englishName(id), name]),
  layout: () => readLayouts().map(({ id, name }) => [id, name]),
  code: () =>
    openLibrary()
      .codeLanguages()
      .map((id) => [id, ...(codeAliases[id] ?? [])]),
} satisfies Record<string, () => string[][]>;

export type NamedKind = keyof typeof rowsOf;

/**
 * The id that an id or a name such as `german`, `Deutsch`, `Colemak DH` or `py` means. A typo is wrong usage,
 * unless rounds of that name have been imported.
 */
export function findId(kind: NamedKind, given: string, imported: readonly string[] = []): string {
  const rows = rowsOf[kind]();
  const wanted = plainName(given);
  const isMeant = (names: readonly string[]) => names.some((name) => plainName(name) === wanted);
  const [id = imported.find((name) => name === given)] =
    rows.find(([id]) => id === given) ?? rows.find(isMeant) ?? [];
  if (id !== undefined) return id;
  throw new UsageError(
    `--${kind} "${visibleText(given)}" is not known; "typebadge play --${kind} list" shows all.`,
  );
}

/** Without capitals, accents, blanks and hyphens. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** All ids and names, a line each, in columns with two blanks between them. */
export function nameList(kind: NamedKind): string {
  return tableRows(rowsOf[kind]())
    .map((row) => `${row}\n`)
    .join('');
}

/**
 * What a shell may offer for the options of `play` and `stats` whose values are too many, or too open, to be
 * choices of the option itself: the command and the option, such as `play --language`, to the values.
 */
export function readPracticeValues(): Map<string, readonly string[]> {
  const [languages, layouts, code] = (['language', 'layout', 'code'] as const).map((kind) =>
    rowsOf[kind]().map(([id = '']) => id),
  ) as [string[], string[], string[]];
  return new Map([
    ['play --language', ['list', ...languages]],
    ['play --layout', ['list', ...layouts]],
    ['play --code', ['list', ...code]],
    ['play --quote', modes.quote.parameters.length.values],
    ['play --drill', modes.drill.parameters.on.values],
    ...optionValues().map(([flag, values]) => [`play ${flag}`, values] as const),
    ['stats --language', languages],
    ['stats --layout', layouts],
    ['stats --mode', [...usualModes, ...code.map((language) => `code-${language}`)]],
  ]);
}

/** As rounds are recorded; other lengths can be typed in full. */
const usualModes = ['words-30', 'time-60', ...modeNames.filter((name) => /^[a-z]+$/.test(name))];

import { findSimilar } from '../../kit/similar-name.ts';
import { readLanguages } from '../../server/stores/languages.ts';
import { openLibrary, readLayouts } from '../../server/typing/library.ts';
import { englishName } from '../../typing/letters/language.ts';

interface Named {
  readonly id: string;
  /** What else people call it. */
  readonly names: readonly string[];
}

/** The id of a language that was given by its id or by a name, such as `german` or `Deutsch`; else what was given. */
export function toLanguageId(given: string): string {
  return findNamed(given, toLanguages()) ?? given;
}

/** The id of a layout that was given by its id or name, such as `Colemak DH`; else what was given. */
export function toLayoutId(given: string): string {
  return findNamed(given, toLayouts()) ?? given;
}

export interface GivenNames {
  readonly language?: string | undefined;
  readonly layout?: string | undefined;
  readonly code?: string | undefined;
}

/** Whether `play` offers everything that is named. */
export function isOffered({ language, layout, code }: GivenNames): boolean {
  return (
    (language === undefined || findNamed(language, toLanguages()) !== undefined) &&
    (layout === undefined || findNamed(layout, toLayouts()) !== undefined) &&
    (code === undefined || findNamed(code, toCodeLanguages()) !== undefined)
  );
}

/** What may have been meant by names that nobody knows, as a sentence after a space; empty where there is no guess. */
export function toSuggestion({ language, layout, code }: GivenNames): string {
  const guesses = [
    language === undefined ? undefined : guess('--language', language, toLanguages()),
    layout === undefined ? undefined : guess('--layout', layout, toLayouts()),
    code === undefined ? undefined : guess('--code', code, toCodeLanguages()),
  ].filter((found) => found !== undefined);
  return guesses.length === 0 ? '' : ` Did you mean ${guesses.join(' ')}?`;
}

/** The flag that a language, a layout or a code language would be given with; undefined for anything else. */
export function findPracticeFlag(given: string): string | undefined {
  const flags = [
    ['--language', toLanguages()],
    ['--layout', toLayouts()],
    ['--code', toCodeLanguages()],
  ] as const;
  for (const [flag, all] of flags) {
    const id = findNamed(given, all);
    if (id !== undefined) return `${flag} ${id}`;
  }
  return undefined;
}

/** Nothing for a name that is known: it is not the one to put right. */
function guess(flag: string, given: string, all: readonly Named[]): string | undefined {
  if (findNamed(given, all) !== undefined) return undefined;
  const near = findSimilar(
    given,
    all.flatMap(({ id, names }) => [id, ...names]),
  );
  const id = findBegun(given, all) ?? (near === undefined ? undefined : findNamed(near, all));
  return id === undefined ? undefined : `${flag} ${id}`;
}

/** The only one that has a name with this beginning: `ger` and `deu` are German. */
function findBegun(given: string, all: readonly Named[]): string | undefined {
  const beginning = toPlain(given);
  if (beginning.length < 3) return undefined;
  const [found, ...others] = all.filter(({ names }) =>
    names.some((name) => toPlain(name).startsWith(beginning)),
  );
  return others.length === 0 ? found?.id : undefined;
}

function findNamed(given: string, all: readonly Named[]): string | undefined {
  if (all.some(({ id }) => id === given)) return given;
  const wanted = toPlain(given);
  return all.find(({ id, names }) => [id, ...names].some((name) => toPlain(name) === wanted))?.id;
}

/** Without capitals, accents, blanks and hyphens. */
function toPlain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function toLanguages(): Named[] {
  return [...readLanguages().values()].map(({ id, name }) => ({ id, names: [name, englishName(id)] }));
}

function toLayouts(): Named[] {
  return readLayouts().map(({ id, name }) => ({ id, names: [name] }));
}

function toCodeLanguages(): Named[] {
  return openLibrary()
    .codeLanguages()
    .map((id) => ({ id, names: [] }));
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type * as wire from '../../contract/answer-types.ts';
import { packageFile } from '../../kit/package-files.ts';
import { drillableParts } from '../../typing/choice/weaknesses.ts';
import { createWordChooser } from '../../typing/choice/word-choice.ts';
import type { Language } from '../../typing/letters/language.ts';
import { type Layout, newLayout, qwerty } from '../../typing/letters/layout.ts';
import type { Material, Practice, Quote } from '../../typing/modes/practice.ts';
import { chaptersOf, type History } from '../../typing/statistics/history.ts';
import { jsonReply } from '../http/reply.ts';
import { languageOf, readLanguages } from '../stores/languages.ts';

export type Library = ReturnType<typeof openLibrary>;

/** All material for rounds, read from the package on first use and cached. */
export function openLibrary() {
  const languages = once((): readonly Language[] => [...readLanguages().values()]);
  const layouts = once(readLayouts);
  const codeLanguages = once(() => namesIn('code', '.json'));
  const layoutsById = once(() => new Map(layouts().map((layout) => [layout.id, layout])));
  const vocabularyOf = keep((language) => {
    const words = readWordList(language);
    const known = new Set(words);
    const leftOut = once(() => readLeftOut(language));
    return {
      words,
      choose: createWordChooser(words),
      drillable: once(() => drillableParts(words)),
      isWord: (text: string) => known.has(text),
      isLeftOut: (text: string) => leftOut().isOut(text),
    };
  });
  const quotesOf = keep((language): readonly Quote[] =>
    existsSync(packageFile('content', 'quotes', `${language}.json`))
      ? readJson<{ quotes: Quote[] }>('quotes', `${language}.json`).quotes
      : [],
  );
  const codeOf = keep((language) =>
    readJson<{ snippets: { text: string }[] }>('code', `${language}.json`).snippets.map(({ text }) => text),
  );
  return {
    languages,
    layouts,
    codeLanguages,
    /** The layout with this id; QWERTY if it no longer exists. */
    layoutOf: (id: string) => (id === qwerty.id ? qwerty : (layoutsById().get(id) ?? qwerty)),
    wordsOf: (language: string): readonly string[] => vocabularyOf(language).words,
    quotesOf,
    /** The material for a round of this practice, for a player with this history. */
    materialOf({ mode, language: id, layout }: Practice, seed: number, history: History): Material {
      const language = languageOf(id);
      return {
        seed,
        language,
        ...vocabularyOf(language.id),
        quotes: mode.type === 'quote' ? quotesOf(language.id) : [],
        code: mode.type === 'code' ? codeOf(mode.language) : [],
        chapters: chaptersOf(history, { language: language.id, layout }),
      };
    },
  };
}

function readJson<T>(...path: string[]): T {
  return JSON.parse(readFileSync(packageFile('content', ...path), 'utf8')) as T;
}

function namesIn(folder: string, ending: string): string[] {
  return readdirSync(packageFile('content', folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Caches by name. Names come from the lists in this package, so their number is bounded. */
function keep<T>(make: (name: string) => T): (name: string) => T {
  const cached = new Map<string, T>();
  return (name) => {
    const value = cached.get(name) ?? make(name);
    cached.set(name, value);
    return value;
  };
}

const compactFile = 'more.json';

/** Many layouts in one file: rows as texts, and the same fingers for all, by row and column. */
interface CompactLayouts {
  readonly fingers: readonly string[];
  readonly layouts: readonly {
    readonly id: string;
    readonly name: string;
    readonly rows: readonly string[];
  }[];
}

/** QWERTY first, then the other layouts with their own file, then the rest by name. */
export function readLayouts(): Layout[] {
  const own = readdirSync(packageFile('content', 'layouts'))
    .filter((name) => name.endsWith('.json') && name !== compactFile)
    .map((name) => readJson<Layout>('layouts', name))
    .sort((a, b) => Number(b.id === 'qwerty') - Number(a.id === 'qwerty') || a.id.localeCompare(b.id));
  const { fingers, layouts } = readJson<CompactLayouts>('layouts', compactFile);
  const taken = new Set(own.map(({ id }) => id));
  const others = layouts.filter(({ id }) => !taken.has(id));
  return [...own, ...others.map(({ id, name, rows }) => newLayout(id, name, rows, fingers))];
}

/** The words of a language, most frequent first. */
export function readWordList(language = 'en'): string[] {
  return readFileSync(packageFile('content', 'words', `${language}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/**
 * Reads content/words/left-out/<id>.txt: words that a list must not contain. Each line is `reason: words`;
 * continuation lines begin with a space, comments with `#`. `kill*` means every word that begins with `kill`,
 * except those in `keep`.
 */
export function readLeftOut(id: string) {
  const path = packageFile('content', 'words', 'left-out', `${id}.txt`);
  const whole = new Set<string>();
  const beginnings: string[] = [];
  const keep = new Set<string>();
  for (const line of readFileSync(path, 'utf8')
    .normalize('NFC')
    .replace(/^#.*\n/gm, '')
    .replace(/\n +/g, ' ')
    .trim()
    .split('\n')) {
    const [reason, ...words] = line.split(/:? +/);
    for (const word of words) {
      if (reason === 'keep') keep.add(word);
      else if (word.endsWith('*')) beginnings.push(word.slice(0, -1));
      else whole.add(word);
    }
  }
  return {
    isOut: (word: string) =>
      whole.has(word) || (!keep.has(word) && beginnings.some((beginning) => word.startsWith(beginning))),
    keep,
  };
}

/** The answers that list languages and layouts, made once. */
export function createLibraryHandlers(library: Library) {
  const languages = () =>
    library.languages().map(({ id, name, alphabet }) => ({
      ...{ id, name, alphabet },
      words: library.wordsOf(id).length,
      quotes: library.quotesOf(id).length,
    }));
  const layouts = () =>
    library.layouts().map(({ id, name, rows, fingers }) => ({
      ...{ id, name },
      rows: rows.map((keys) => [...keys]),
      fingers: { ...fingers },
    }));
  return {
    languages: once(() => jsonReply(200, { languages: languages() } satisfies wire.LanguageList)),
    layouts: once(() => jsonReply(200, { layouts: layouts() } satisfies wire.LayoutList)),
  };
}

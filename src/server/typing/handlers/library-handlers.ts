import type * as wire from '../../../contract/answer-types.ts';
import { type Reply, toJsonReply } from '../../http/replies/reply.ts';
import type { Library } from '../library/library.ts';

/** Languages and layouts. Their answers are made once. */
export function createLibraryHandlers(library: Library): {
  readonly languages: () => Reply;
  readonly layouts: () => Reply;
} {
  let languages: Reply | undefined;
  let layouts: Reply | undefined;
  return {
    languages() {
      languages ??= toJsonReply(200, { languages: languageList(library) } satisfies wire.LanguageList);
      return languages;
    },
    layouts() {
      layouts ??= toJsonReply(200, { layouts: layoutList(library) } satisfies wire.LayoutList);
      return layouts;
    },
  };
}

function languageList(library: Library): wire.LanguageList['languages'] {
  return library.languages().map(({ id, name, alphabet }) => ({
    id,
    name,
    alphabet,
    words: library.wordsOf(id).length,
    quotes: library.quotesOf(id).length,
  }));
}

function layoutList(library: Library): wire.LayoutList['layouts'] {
  return library.layouts().map(({ id, name, rows, fingers }) => ({
    id,
    name,
    rows: rows.map((keys) => [...keys]),
    fingers: { ...fingers },
  }));
}

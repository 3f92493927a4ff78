import type * as wire from '../../../contract/answer-types.ts';
import { type Reply, toJsonReply } from '../../http/replies/reply.ts';
import type { Library } from '../library/library.ts';

/** Handlers for languages and layouts. Their answers are prepared once. */
export function createLibraryHandlers(library: Library): {
  readonly languages: () => Reply;
  readonly layouts: () => Reply;
} {
  let languages: Reply | undefined;
  let layouts: Reply | undefined;
  return {
    languages() {
      languages ??= toJsonReply(200, {
        languages: library.languages().map(toLanguage),
      } satisfies wire.LanguageList);
      return languages;
    },
    layouts() {
      layouts ??= toJsonReply(200, { layouts: library.layouts().map(toLayout) } satisfies wire.LayoutList);
      return layouts;
    },
  };

  function toLanguage({ id, name, alphabet }: ReturnType<Library['languages']>[number]) {
    return {
      id,
      name,
      alphabet,
      words: library.wordsOf(id).length,
      quotes: library.quotesOf(id).length,
    };
  }
}

function toLayout({ id, name, rows, fingers }: ReturnType<Library['layouts']>[number]) {
  return { id, name, rows: rows.map((keys) => [...keys]), fingers: { ...fingers } };
}

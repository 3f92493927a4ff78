import { emptyHistory, type HistoryFile } from '../../../announcements/announcement.ts';
import type { OriginPattern } from '../../../kit/origin-pattern.ts';
import type { Content } from '../ports.ts';
import { ContentError, ContentTooLargeError, toProblemSentence } from './content-error.ts';
import { parseHistoryFile } from './history/history-file.ts';
import { describeOversize, isOversize } from './history/history-size.ts';
import { toHistoryText } from './history/history-text.ts';
import { type MarkedRequest, parseOriginRequests, parseOriginsFile, toOriginsText } from './origins-file.ts';

const validateHint = ': see typebadge announce validate';

export interface ChangedOrigins {
  readonly origins: readonly string[];
  readonly requests?: readonly MarkedRequest[];
}

/**
 * Announcements and allow-list as values instead of texts, in a folder or in a store. Rejects with a ContentError, or with a
 * StoreUnavailableError if they are in a store that is away.
 */
export interface ContentStore {
  readonly content: Content;
  readHistory(): Promise<HistoryFile>;
  /** Applies `change` to the current history atomically, and stores the returned history unless it is the same object. */
  updateHistory<T extends { readonly history: HistoryFile } | { readonly problem: string }>(
    change: (history: HistoryFile) => T,
  ): Promise<T>;
  readOrigins(): Promise<readonly OriginPattern[]>;
  /**
   * Like `updateHistory`, for the entries of the allow-list and the requests remembered with them; the latter stay as they are if
   * `change` returns none. Everything else in the file is kept.
   */
  updateOrigins<T extends ChangedOrigins | { readonly problem: string } | { readonly refusal: Error }>(
    change: (origins: readonly string[], requests: readonly MarkedRequest[]) => T,
  ): Promise<T>;
}

/** @param most largest size of `history.json` in bytes. Default: 16 MiB */
export function createContentStore(content: Content, most?: number): ContentStore {
  const parseHistory = (text: string | undefined) => {
    if (text === undefined) return emptyHistory;
    const result = parseHistoryFile(text);
    if (!('problems' in result)) return result.history;
    const file = content.nameOf('history.json');
    throw new ContentError(toProblemSentence(file, result.problems, validateHint), file, result.problems);
  };
  const parseOrigins = (text: string | undefined) => {
    if (text === undefined) return [];
    const result = parseOriginsFile(text);
    if (!('problems' in result)) return result.patterns;
    const file = content.nameOf('origins.json');
    const [first] = result.problems;
    const line = first?.line === undefined ? '' : `:${first.line}`;
    throw new ContentError(`${file}${line}: ${first?.message}`, file, result.problems);
  };

  return {
    content,
    readHistory: async () => parseHistory((await content.read('history.json'))?.text),
    updateHistory: (change) =>
      content.update('history.json', (text) => {
        const before = parseHistory(text);
        const result = change(before);
        if (!('history' in result) || result.history === before) return { text: undefined, result };
        const after = toHistoryText(result.history);
        if (!isOversize(after, most)) return { text: after, result };
        const message = `Nothing was changed: ${describeOversize(most)}`;
        throw new ContentTooLargeError(message, content.nameOf('history.json'));
      }),
    readOrigins: async () => parseOrigins((await content.read('origins.json'))?.text),
    updateOrigins: (change) =>
      content.update('origins.json', (text) => {
        const before = parseOrigins(text).map(({ entry }) => entry);
        const requests = text === undefined ? [] : parseOriginRequests(text);
        const result = change(before, requests);
        if (!('origins' in result)) return { text: undefined, result };
        const { origins, requests: remembered = requests } = result;
        const isNew = origins !== before || remembered !== requests;
        return { text: isNew ? toOriginsText(origins, remembered, text) : undefined, result };
      }),
  };
}

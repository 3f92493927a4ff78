import * as v from 'valibot';
import { emptyHistory, type HistoryFile } from '../../../announcements/announcement.ts';
import { type OriginPattern, parseOriginPattern } from '../../../kit/origin-pattern.ts';
import {
  type Content,
  ContentError,
  type ContentName,
  type ContentText,
  ContentTooLargeError,
  contentNames,
  fileProblemSentence,
} from './content.ts';
import { historyText, isOversize, logText, oversizeProblem, parseHistory } from './history-file.ts';
import { type FileProblem, located, mistakeOf, parseJsonFile, withoutMark } from './json-file.ts';

/**
 * Announcements and allow-list as values instead of texts, in a folder or in a store. Rejects with a
 * ContentError, or with a StoreUnavailableError while a store is away.
 */
export type ContentStore = ReturnType<typeof createContentStore>;

export function createContentStore(content: Content) {
  const parseOrigins = (text: string | undefined) => {
    if (text === undefined) return [];
    const result = parseOriginsFile(text);
    if (!('problems' in result)) return result.patterns;
    throw newFileError(content.nameOf('origins.json'), result.problems);
  };

  return {
    content,
    readHistory: async () => {
      const found = await content.read('history.json');
      if (found === undefined) await refuseLost(content);
      return historyOf(content, found);
    },
    /** Applies `change` to the history atomically, and stores the result unless it is the same object. */
    updateHistory: <T extends { readonly history: HistoryFile } | { readonly problem: string }>(
      change: (history: HistoryFile) => T,
    ): Promise<T> =>
      content.update('history.json', async (known, log) => {
        if (known === undefined) await refuseLost(content);
        const before = historyOf(content, known === undefined ? undefined : { text: known, log });
        const result = change(before);
        if (!('history' in result) || result.history === before) return { text: undefined, result };
        const text = historyText(result.history);
        const added = logText(result.history.changes.slice(before.changes.length));
        if (!isOversize(text, log + added)) return { text, added, result };
        const message = `Nothing was changed: ${oversizeProblem}`;
        throw new ContentTooLargeError(message, content.nameOf('history.json'));
      }),
    readOrigins: async (): Promise<readonly OriginPattern[]> =>
      parseOrigins((await content.read('origins.json'))?.text),
    /** Like `updateHistory`, for the entries of the allow-list. Everything else in the file is kept. */
    updateOrigins: <T extends { readonly origins: readonly string[] } | { readonly refusal: Error }>(
      change: (origins: readonly string[]) => T,
    ): Promise<T> =>
      content.update('origins.json', (text) => {
        const before = parseOrigins(text).map(({ entry }) => entry);
        const result = change(before);
        const isNew = 'origins' in result && result.origins !== before;
        return { text: isNew ? originsText(result.origins, text) : undefined, result };
      }),
  };
}

/** Rejects if the announcements are missing because they were lost. */
async function refuseLost(content: Content): Promise<void> {
  if (!(await content.hasLost())) return;
  const [file, log] = [content.nameOf('history.json'), content.nameOf('changes.jsonl')];
  const message =
    content.kind === 'store'
      ? `${file} was lost. Nothing was changed: restore the backup of the store, or fill it with "typebadge store import"`
      : `${file} is missing, but its log is there. Nothing was changed: restore it from a backup, or move ${log} away to begin a new one`;
  throw new ContentError(message, file);
}

/** The announcements in these texts; none if there are no texts. */
function historyOf(
  content: Pick<Content, 'nameOf'>,
  found: Pick<ContentText, 'text' | 'log'> | undefined,
): HistoryFile {
  if (found === undefined) return emptyHistory;
  const result = parseHistory(found.text, found.log);
  if ('history' in result) return result.history;
  throw newFileError(content.nameOf(result.file), result.problems);
}

function newFileError(file: string, problems: readonly FileProblem[]): ContentError {
  return new ContentError(
    fileProblemSentence(file, problems, ': see typebadge announce validate'),
    file,
    problems,
  );
}

/**
 * Copies content, which must be servable, into a store that never had announcements. What the store has is
 * kept. Resolves to whether announcements were added.
 */
export async function fillContent(store: Content, folder: Content): Promise<boolean> {
  const [version] = await store.versions(['history.json']);
  if (version !== undefined || (await store.hasLost())) return false;
  await requireServable(folder);
  // The announcements come last: with them, the store counts as filled.
  const [announcements, ...others] = contentNames;
  for (const name of others) await addText(store, name, await folder.read(name));
  return addText(store, announcements, await folder.read(announcements));
}

/** Rejects with a ContentError if a server could not serve this content. */
export async function requireServable(content: Content): Promise<void> {
  const store = createContentStore(content);
  await store.readHistory();
  await store.readOrigins();
}

/** Adds a text if there is none. Resolves to whether it was added. */
export async function addText(
  target: Content,
  name: ContentName,
  found: Pick<ContentText, 'text' | 'log'> | undefined,
): Promise<boolean> {
  if (found === undefined) return false;
  return target.update(name, (before) =>
    before === undefined
      ? { text: found.text, added: found.log, result: true }
      : { text: undefined, result: false },
  );
}

const originsSchema = v.looseObject({
  origins: v.array(
    v.pipe(
      v.string(),
      v.rawTransform<string, OriginPattern>(({ dataset, addIssue, NEVER }) => {
        const pattern = parseOriginPattern(dataset.value);
        if (!('problem' in pattern)) return pattern;
        addIssue({ message: pattern.problem });
        return NEVER;
      }),
    ),
  ),
});

/**
 * Parses `origins.json`, `{ "origins": ["https://example.org", "https://*.example.org"] }`; one invalid entry
 * invalidates the file.
 */
export function parseOriginsFile(text: string): { patterns: OriginPattern[] } | { problems: FileProblem[] } {
  const json = parseJsonFile(text);
  if ('problems' in json) return json;
  const { success, output, issues } = v.safeParse(originsSchema, json.value);
  return success ? { patterns: output.origins } : { problems: located(issues.map(mistakeOf), json.plain) };
}

/** The text of `origins.json`; other fields of the previous text are kept. */
export function originsText(origins: readonly string[], before: string | undefined): string {
  const rest: object = before === undefined ? {} : JSON.parse(withoutMark(before));
  return `${JSON.stringify({ ...rest, origins }, null, 2)}\n`;
}

import type { Log } from '../settings/log.ts';
import type { Content, ContentName, ContentText } from '../stores/content/content.ts';
import { fileProblemSentence } from '../stores/content/content-error.ts';
import type { FileProblem } from '../stores/content/json-file.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';

type FileName = Parameters<Content['nameOf']>[0];

/** The value of a text, or what is wrong with a file. */
export type ParsedText<T> =
  | { readonly value: T }
  | { readonly file: FileName; readonly problems: readonly FileProblem[] };

export interface LiveTextOptions<T> {
  readonly content: Content;
  readonly name: ContentName;
  /** The text to parse if there is none; undefined: it must exist. */
  readonly missing?: string;
  readonly parse: (found: ContentText) => ParsedText<T>;
  readonly log: Log;
}

/** The value of a text of the content, as of its last valid version. */
export interface LiveText<T> {
  value(): T;
  /** The text that the value was parsed from. */
  source(): ContentText;
  /** Why the current text is not in use, without the path of its folder; undefined if it is in use. */
  problem(): string | undefined;
  /** Reads the text if its version has changed or `isForced`. Resolves to whether there is a new value. */
  refresh(version: string | undefined, isForced?: boolean): Promise<boolean>;
}

/** Throws if the first text is invalid; later, problems are logged and the previous value stays in use. */
export function createLiveText<T>(options: LiveTextOptions<T>, first: ContentText | undefined): LiveText<T> {
  const { content, name, missing, log } = options;
  const file = content.nameOf(name);
  let { value, source } = readValue(options, first);
  let known = first?.version;
  let problem: string | undefined;

  const readAgain = async () => {
    try {
      const found = await content.read(name);
      ({ value, source } = readValue(options, found));
      known = found?.version;
      problem = undefined;
      log.info('content read again', { file });
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return false;
      const { message } = error as Error;
      log.error(`${message}; the version read before stays in use`, { file });
      // Anyone may see it: paths of folders and the address of a store are only for the log.
      problem = error instanceof LostTextError ? error.reason : withoutPlaces(message, content, name);
      return false;
    }
  };

  return {
    value: () => value,
    source: () => source,
    problem: () => problem,
    async refresh(version, isForced = false) {
      if (version === known && !isForced) return false;
      // A text missing from a store was lost, because nobody removes one: it must not count as empty.
      if (version === undefined && content.kind === 'store' && missing !== undefined) return false;
      const before = known;
      known = version;
      const isNew = await readAgain();
      // If the store went away, the text is read again next time; a broken text only once it has changed.
      if (!isNew && problem === undefined) known = before;
      return isNew;
    },
  };
}

function withoutPlaces(message: string, content: Content, name: ContentName): string {
  const files: readonly FileName[] = [name, 'changes.jsonl'];
  return files.reduce((text, each) => text.replaceAll(content.nameOf(each), each), message);
}

function readValue<T>({ content, name, missing, parse }: LiveTextOptions<T>, found: ContentText | undefined) {
  const source = found ?? (missing === undefined ? undefined : { version: '', text: missing, log: '' });
  if (source === undefined) throw newMissingError(content, name);
  const result = parse(source);
  if ('value' in result) return { value: result.value, source };
  throw new Error(fileProblemSentence(content.nameOf(result.file), result.problems));
}

/** A store has no announcements. The message names addresses, for the operator; `reason` does not. */
class LostTextError extends Error {
  readonly reason = 'the store has lost its announcements';
}

function newMissingError(content: Content, name: ContentName): Error {
  const file = content.nameOf(name);
  return content.kind === 'store'
    ? new LostTextError(
        `the store has no ${file}: it is new, it has lost its data, or --store or --store-prefix is wrong. Restore its backup, or fill it from a content folder with "typebadge store import"`,
      )
    : new Error(`there is no file ${file}: restore it, or begin a new one with "typebadge announce publish"`);
}

import { StoreUnavailableError } from '../records/records.ts';
import type { FileProblem } from './json-file.ts';

/** A value or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** The texts of the content, named like their files in a content folder. */
export const contentNames = ['history.json', 'origins.json', 'editors.json'] as const;
export type ContentName = (typeof contentNames)[number];

export interface ContentText {
  /** Differs whenever the text or the log differs; compare only versions of the same name. */
  readonly version: string;
  readonly text: string;
  /** Of `history.json`: its log of changes, a line of JSON each (`changes.jsonl`). Otherwise empty. */
  readonly log: string;
}

/** A text after a change, and the result of the change. Undefined or the same text: nothing changes. */
export interface TextChange<T> {
  readonly text: string | undefined;
  readonly result: T;
  /**
   * Added to the log of `history.json`, together with the new text or not at all: at most one line, unless
   * there was no text.
   */
  readonly added?: string | undefined;
}

/**
 * Keeps announcements, the allow-list and the editors as whole texts, which are read often and changed
 * rarely. It does not parse them: `content/content-store.ts` does that for announcements and allow-list.
 */
export interface Content {
  readonly kind: 'folder' | 'store';
  /** Name for messages: the path of the folder, or the address and prefix of the store without a password. */
  readonly name: string;
  /** Name of one of its texts, for messages. */
  nameOf(name: ContentName | 'changes.jsonl'): string;
  /** Undefined if there is no such text. */
  read(name: ContentName): Promise<ContentText | undefined>;
  /**
   * Applies `change` to a text atomically, and returns the result of its last run. `change` may run several
   * times, so it must have no effects; other writers may have to wait for it. Rejects with a sentence that
   * also says whether something was changed.
   */
  update<T>(
    name: ContentName,
    change: (text: string | undefined, log: string) => Awaitable<TextChange<T>>,
  ): Promise<T>;
  /** Whether announcements are missing that were here: they must be restored, not replaced. */
  hasLost(): Promise<boolean>;
  /** Records that announcements which this process still has are missing here, for `hasLost`. */
  sayLost(): Promise<void>;
  /** The versions of several texts, undefined if there is none. Cheap enough for several calls a second. */
  versions(names: readonly ContentName[]): Promise<readonly (string | undefined)[]>;
}

/** Where the texts are kept. */
export interface ContentPlace extends Omit<Content, 'update' | 'versions'> {
  /** `''` if there is no such text. */
  versionOf(name: ContentName): Promise<string>;
  /** Replaces a text and adds to its log, both or neither. Resolves to false if it is no longer `before`. */
  write(name: ContentName, before: ContentText | undefined, text: string, added: string): Promise<boolean>;
}

/** Maximum number of attempts: the slower of two editors tries again, but hardly ever so often. */
const maxAttempts = 100;

/** Editors may change a text simultaneously: every change is based on the one before. */
export function createContent(place: ContentPlace): Content {
  const { read, write, versionOf, ...names } = place;
  return {
    ...names,
    read,
    async update(name, change) {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const before = await read(name).catch((error) => Promise.reject(withHint(error, notChanged)));
        const { text, added = '', result } = await change(before?.text, before?.log ?? '');
        if (text === undefined || text === before?.text) return result;
        if (await write(name, before, text, added)) return result;
      }
      throw new StoreUnavailableError(
        `${names.nameOf(name)} is being changed by others at the moment. ${notChanged} Try again.`,
      );
    },
    versions: (texts) => Promise.all(texts.map(async (name) => (await versionOf(name)) || undefined)),
  };
}

export const notChanged = 'Nothing was changed.';

/** What an editor must know about a change, added to the reason why a store cannot be used. */
export function withHint(error: unknown, hint: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new StoreUnavailableError(`${error.message} ${hint}`);
}

/** The content cannot be read or written; nothing was changed. The message is a sentence for the editor. */
export class ContentError extends Error {
  constructor(
    message: string,
    /** The file, and what is wrong in it. */
    readonly file?: string,
    readonly problems?: readonly FileProblem[],
  ) {
    super(message);
    this.name = 'ContentError';
  }
}

/** A change would make a file larger than it may be; nothing was changed. */
export class ContentTooLargeError extends ContentError {}

/** The first problem of a file, as a sentence without a full stop. `hint`: where to find the others. */
export function fileProblemSentence(file: string, problems: readonly FileProblem[], hint: string): string {
  const [{ line, path, message }] = problems as readonly [FileProblem];
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more${hint})` : '';
  return `${file}${line ? `:${line}` : ''}: ${path ? `${path}: ` : ''}${message}${more}`;
}

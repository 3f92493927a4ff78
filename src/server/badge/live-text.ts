import type { Log } from '../settings/log.ts';
import { toProblemSentence } from '../stores/content/content-error.ts';
import {
  type Awaitable,
  type Content,
  type ContentCopy,
  type ContentName,
  StoreUnavailableError,
} from '../stores/ports.ts';
import { keepLastGood, type ParsedText } from './last-good-copy.ts';

export interface LiveTextOptions<T> {
  readonly content: Content;
  /** Keeps the last good text, which a start uses while the store is away. */
  readonly copy?: ContentCopy | undefined;
  readonly name: ContentName;
  /** The text to parse if there is none; undefined: it must exist. */
  readonly missing?: string;
  readonly parse: (text: string) => Awaitable<ParsedText<T>>;
  /** See `LastGoodCopyOptions`. */
  readonly continues?: (before: T, after: T) => boolean;
  readonly log: Log;
}

/** The value of a text of the content, as of its last valid version. */
export interface LiveText<T> {
  value(): T;
  /** Why the current text is not in use, without the path of its folder; undefined if it is in use. */
  problem(): string | undefined;
  /** Reads the text if its version has changed, or in any case if `isAsked`. Resolves to whether there is a new value. */
  look(version: string | undefined, isAsked?: boolean): Promise<boolean>;
}

/** The version of a copy, which differs from that of any original. */
const copied = Symbol('copied');

interface Reading<T> {
  readonly value: T;
  readonly version: string | undefined | typeof copied;
}

/** Rejects if the text cannot be read at the start; later, problems are logged and the previous version stays in use. */
export async function openLiveText<T>(options: LiveTextOptions<T>): Promise<LiveText<T>> {
  const { content, name, log } = options;
  const file = content.nameOf(name);
  let { value, version: known } = await readFirst(options);
  let problem: string | undefined;

  const readAgain = async () => {
    try {
      ({ value, version: known } = await readText(options, value));
      problem = undefined;
      log.info('content read again', { file });
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return false;
      const { message } = error as Error;
      log.error(`${message}; the version read before stays in use`, { file });
      // Strangers may see it: paths of folders and the address of a store are only for the log.
      problem = error instanceof LostTextError ? error.reason : message.replaceAll(file, name);
      return false;
    }
  };

  return {
    value: () => value,
    problem: () => problem,
    async look(version, isAsked = false) {
      if (version === known && !isAsked) return false;
      // Nobody removes a text from a store: if it is missing, the store has lost it, and it must not count as empty.
      if (version === undefined && content.kind === 'store' && options.missing !== undefined) return false;
      const before = known;
      known = version;
      const isNew = await readAgain();
      // A text that could not be read because the store went away is requested again; a broken one only once it has changed.
      if (!isNew && problem === undefined) known = before;
      return isNew;
    },
  };
}

async function readFirst<T>(options: LiveTextOptions<T>): Promise<Reading<T>> {
  try {
    return await readText(options);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    const text = (await options.copy?.read(options.name)) ?? options.missing;
    if (text === undefined) throw error;
    return { value: await toValue(text, options), version: copied };
  }
}

async function readText<T>(options: LiveTextOptions<T>, before?: T): Promise<Reading<T>> {
  const { content, name, missing } = options;
  const found = await content.read(name);
  const text = found?.text ?? missing;
  if (text === undefined) throw await newMissingError(options);
  const value = await toValue(text, options);
  if (found !== undefined) await keepLastGood(options, { text, value, before });
  return { value, version: found?.version };
}

const wordsFor: Readonly<Record<ContentName, string>> = {
  'history.json': 'announcements',
  'origins.json': 'allow-list',
  'editors.json': 'list of editors',
};

/** A store has no such text. The message names addresses and folders, for the operator; `reason` does not. */
class LostTextError extends Error {
  readonly reason: string;

  constructor(message: string, name: ContentName) {
    super(message);
    this.reason = `the store has lost its ${wordsFor[name]}`;
  }
}

async function newMissingError<T>(options: LiveTextOptions<T>): Promise<Error> {
  const { content, name } = options;
  if (content.kind === 'store') return new LostTextError(await toLostSentence(options), name);
  return new Error(
    `there is no file ${content.nameOf(name)}: restore it, or begin a new one with "typebadge announce publish"`,
  );
}

async function toLostSentence<T>({ content, copy, name }: LiveTextOptions<T>): Promise<string> {
  const lost = `the store has no ${content.nameOf(name)}: it is new, it has lost its data, or --store or --store-prefix is wrong. Restore its backup, or`;
  if (copy === undefined || (await copy.read(name)) === undefined)
    return `${lost} fill it from a content folder: with "typebadge store import", or by starting a server whose content folder has one`;
  return `${lost} restart one server, which fills it from its last copy of the content (${copy.name}); so does "typebadge store import --content ${copy.name}" while the server of that data folder is stopped`;
}

async function toValue<T>(text: string, { content, name, parse }: LiveTextOptions<T>): Promise<T> {
  const result = await parse(text);
  if ('problems' in result) throw new Error(toProblemSentence(content.nameOf(name), result.problems));
  return result.value;
}

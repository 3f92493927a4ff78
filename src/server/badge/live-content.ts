import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { nextTransition } from '../../announcements/schedule.ts';
import type { OriginPattern } from '../../kit/origin-pattern.ts';
import { createOriginList } from '../http/cors.ts';
import type { Log } from '../settings/log.ts';
import {
  type Content,
  type ContentName,
  type ContentText,
  fileProblemSentence,
} from '../stores/content/content.ts';
import type { ContentCopy } from '../stores/content/content-copy.ts';
import { parseOriginsFile } from '../stores/content/content-store.ts';
import { parseHistory } from '../stores/content/history-file.ts';
import type { FileProblem } from '../stores/content/json-file.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import { type Branding, prepareContent } from './prepared-content.ts';

export interface LiveContentOptions {
  readonly content: Content;
  /** Only for the content of a store: the last good one, for a start while the store is away. */
  readonly copy?: ContentCopy | undefined;
  /** Origins allowed in addition to those of `origins.json`. */
  readonly allowOrigin: readonly OriginPattern[];
  readonly loopback: boolean;
  readonly branding: Branding;
  readonly log: Log;
  /** Epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** How often to check texts and clock, in milliseconds: a change must show within a second. */
const refreshInterval = 250;

const names = ['history.json', 'origins.json'] as const satisfies readonly ContentName[];

/**
 * Reads the content and keeps it up to date with its folder or store and the clock. Rejects if a text is
 * broken at the start; later, a broken text is reported and the previous value stays in use, as it does while
 * the store is away.
 */
export async function openLiveContent(options: LiveContentOptions) {
  const { content, log, allowOrigin, loopback, branding, now = Date.now } = options;
  const [firstHistory, firstOrigins] = await readFirst(options);
  const history = createLiveText(content, log, 'history.json', firstHistory, ({ text, log }) => {
    const result = parseHistory(text, log);
    return 'history' in result ? { value: result.history } : result;
  });
  const origins = createLiveText(content, log, 'origins.json', firstOrigins, ({ text }) => {
    const result = parseOriginsFile(text);
    if ('problems' in result) return { file: 'origins.json', problems: result.problems };
    return { value: createOriginList([...result.patterns, ...allowOrigin], loopback) };
  });
  const writeCopy = async () => {
    const { text, log } = history.held.source;
    await options.copy?.write({ history: text, log, origins: origins.held.source.text });
  };
  await writeCopy();
  let prepared = await prepare(history.held.value, now(), branding);
  let revision = 1;

  const refresh = async (isForced = false) => {
    const versions = await readVersions(content);
    // A store without announcements has lost its data: keep serving what this server has.
    const isWhole = content.kind === 'folder' || versions?.[0] !== undefined;
    // Otherwise, a server that starts now would fill the store with its own content.
    if (versions !== undefined && !isWhole && history.held.version !== undefined) await content.sayLost();
    const isNew = versions !== undefined && (await history.refresh(versions[0], isForced));
    const hasNewOrigins = versions !== undefined && isWhole && (await origins.refresh(versions[1], isForced));
    if (hasNewOrigins || isNew) {
      revision += 1;
      await writeCopy();
    }
    // Prepared answers are stale from `until` on, and from the future if the clock was set back.
    const isStale = now() < prepared.at || now() >= prepared.until;
    if (isNew || isStale) prepared = await prepare(history.held.value, now(), branding);
  };
  // It never runs concurrently with itself: a forced one waits for the one in progress.
  let latest: Promise<void> = Promise.resolve();
  const refreshNow = (isForced?: boolean) => {
    latest = latest
      .then(() => refresh(isForced))
      .catch((error) => log.error(`content could not be checked for changes: ${String(error)}`));
    return latest;
  };
  const stopping = new AbortController();
  const follow = async () => {
    for (;;) {
      await refreshNow();
      await sleep(refreshInterval, undefined, { ref: false, signal: stopping.signal });
    }
  };
  follow().catch(() => undefined); // `close` aborts the pause

  return {
    prepared: () => prepared.content,
    history: () => history.held.value,
    origins: () => origins.held.value,
    revision: () => revision,
    /** What is wrong with the current texts, a sentence each; empty if nothing is. */
    problems: () => [origins.held.problem, history.held.problem].filter((problem) => problem !== undefined),
    /** Reads at once whatever has changed. */
    refresh: () => refreshNow(),
    /** Reads all texts again, changed or not. */
    reload: () => refreshNow(true),
    close: () => stopping.abort(),
  };
}

/** Undefined while the store is away, which its connection reports. */
async function readVersions(content: Content): Promise<readonly (string | undefined)[] | undefined> {
  try {
    return await content.versions(names);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}

type FirstTexts = readonly [history: ContentText | undefined, origins: ContentText | undefined];

/** The texts to start with: those of the copy if the store is away or has lost its announcements. */
async function readFirst({ content, copy, log }: LiveContentOptions): Promise<FirstTexts> {
  let away: StoreUnavailableError | undefined;
  try {
    const first = [await content.read('history.json'), await content.read('origins.json')] as const;
    if (content.kind === 'folder' || first[0] !== undefined) return first;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    away = error;
  }
  const copied = await copy?.read();
  if (copied === undefined) {
    if (away !== undefined) throw away;
    return [undefined, undefined];
  }
  log.warn('this server starts with its last copy of the content', { store: content.name });
  const version = 'copy';
  return [
    { version, text: copied.history, log: copied.log },
    { version, text: copied.origins, log: '' },
  ];
}

/** The prepared answers are valid from `at` until just before `until` (epoch milliseconds). */
async function prepare(history: HistoryFile, at: number, branding: Branding) {
  const content = await prepareContent(history, at, branding);
  return { content, at, until: nextTransition(history, at) ?? Number.POSITIVE_INFINITY };
}

type Parse<T> = (
  found: ContentText,
) => { readonly value: T } | { readonly file: FileName; readonly problems: readonly FileProblem[] };

type FileName = Parameters<Content['nameOf']>[0];

/**
 * The value of a text, as of its last valid version. Throws if the first text is invalid; later, problems are
 * logged and the previous value stays in use.
 */
function createLiveText<T>(
  content: Content,
  log: Log,
  name: (typeof names)[number],
  first: ContentText | undefined,
  parse: Parse<T>,
) {
  const file = content.nameOf(name);
  const read = (found: ContentText | undefined) => {
    const source =
      found ?? (name === 'origins.json' ? { version: '', text: '{"origins":[]}', log: '' } : undefined);
    if (source === undefined) throw newMissingError(content, file);
    const result = parse(source);
    if ('problems' in result)
      throw new Error(fileProblemSentence(content.nameOf(result.file), result.problems, ''));
    const problem = undefined as string | undefined;
    return { value: result.value, source, version: found?.version, problem };
  };
  const text = {
    /** What is in use; `problem` says why the current text is not, without the path of its folder. */
    held: read(first),
    /** Reads the text if its version has changed or `isForced`. Resolves to whether there is a new value. */
    async refresh(version: string | undefined, isForced: boolean): Promise<boolean> {
      if (version === text.held.version && !isForced) return false;
      // An allow-list missing from a store was lost, because nobody removes one: it must not count as empty.
      if (version === undefined && content.kind === 'store' && name === 'origins.json') return false;
      try {
        text.held = read(await content.read(name));
        log.info('content read again', { file });
        return true;
      } catch (error) {
        // Read again next time; a broken text only once it has changed.
        if (error instanceof StoreUnavailableError) return false;
        const { message } = error as Error;
        log.error(`${message}; the version read before stays in use`, { file });
        // Anyone may see it: paths of folders and the address of a store are only for the log.
        const files: readonly FileName[] = [name, 'changes.jsonl'];
        const problem = files.reduce((said, each) => said.replaceAll(content.nameOf(each), each), message);
        text.held = { ...text.held, version, problem };
        return false;
      }
    },
  };
  return text;
}

function newMissingError(content: Content, file: string): Error {
  return new Error(
    content.kind === 'store'
      ? `the store has no ${file}: it is new, it has lost its data, or --store or --store-prefix is wrong. Restore its backup, or fill it from a content folder with "typebadge store import"`
      : `there is no file ${file}: restore it, or begin a new one with "typebadge announce publish"`,
  );
}

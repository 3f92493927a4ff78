import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { nextTransition } from '../../announcements/schedule.ts';
import type { OriginPattern } from '../../kit/origin-pattern.ts';
import { createOriginList, type OriginList } from '../http/cors.ts';
import type { Log } from '../settings/log.ts';
import type { Content, ContentName, ContentText } from '../stores/content/content.ts';
import type { ContentCopy } from '../stores/content/content-copy.ts';
import { createHistoryReader, type HistoryReader } from '../stores/content/history-file.ts';
import { parseOriginsFile } from '../stores/content/origins-file.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import { createLiveText, type ParsedText } from './live-text.ts';
import { type Branding, type PreparedContent, prepareContent } from './prepared-content.ts';

export interface LiveContentOptions {
  /** Holds `history.json`, and perhaps `origins.json`. */
  readonly content: Content;
  /** Only for the content of a store: the last good one, for a start while the store is away. */
  readonly copy?: ContentCopy | undefined;
  /** A reader of announcements that is shared with others. */
  readonly readHistory?: HistoryReader | undefined;
  /** Origins allowed in addition to those of `origins.json`. */
  readonly allowOrigin: readonly OriginPattern[];
  /** Whether loopback origins count as listed. */
  readonly loopback: boolean;
  readonly branding: Branding;
  readonly log: Log;
  /** Epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The content, prepared for serving and kept up to date with its folder or store and the clock. */
export interface LiveContent {
  prepared(): PreparedContent;
  history(): HistoryFile;
  origins(): OriginList;
  /** Number of changes read so far. */
  revision(): number;
  /** What is wrong with the current texts, a sentence each; empty if nothing is. */
  problems(): readonly string[];
  /** Reads at once whatever has changed. */
  refresh(): Promise<void>;
  /** Reads all texts again, changed or not. */
  reload(): Promise<void>;
  close(): void;
}

/** How often to check texts and clock, in milliseconds: a change must show within a second. */
const refreshInterval = 250;

const names = ['history.json', 'origins.json'] as const satisfies readonly ContentName[];

/**
 * Reads the content and keeps it up to date with its folder or store and the clock. Rejects if a text is
 * broken at the start; later, a broken text is reported and the previous value stays in use, as it does while
 * the store is away.
 */
export async function openLiveContent(options: LiveContentOptions): Promise<LiveContent> {
  const { content, allowOrigin, loopback, branding, now = Date.now } = options;
  const first = await readFirst(options);
  const history = createLiveText(
    { ...options, name: 'history.json', parse: parseWith(options.readHistory ?? createHistoryReader()) },
    first.history,
  );
  const origins = createLiveText(
    {
      ...options,
      name: 'origins.json',
      missing: '{"origins":[]}',
      parse: ({ text }) => parseOrigins(text, allowOrigin, loopback),
    },
    first.origins,
  );
  const writeCopy = async () => {
    const { text, log } = history.source();
    await options.copy?.write({ history: text, log, origins: origins.source().text });
  };
  if (!first.isCopy) await writeCopy();
  let prepared = await prepare(history.value(), now(), branding);
  let revision = 1;

  const refresh = async (isForced?: boolean) => {
    const versions = await readVersions(content);
    const isNew = versions !== undefined && (await history.refresh(versions[0], isForced));
    // A store without announcements has lost its data: keep serving what this server has.
    const isWhole = content.kind === 'folder' || versions?.[0] !== undefined;
    const hasNewOrigins = versions !== undefined && isWhole && (await origins.refresh(versions[1], isForced));
    if (hasNewOrigins || isNew) {
      revision += 1;
      await writeCopy();
    }
    if (isNew || isStale(prepared, now())) prepared = await prepare(history.value(), now(), branding);
  };
  const refreshes = repeat(refresh, (error) =>
    options.log.error(`content could not be checked for changes: ${String(error)}`),
  );
  refreshes.start();

  return {
    prepared: () => prepared.content,
    history: history.value,
    origins: origins.value,
    revision: () => revision,
    problems: () => [origins.problem(), history.problem()].filter((problem) => problem !== undefined),
    refresh: () => refreshes.now(),
    reload: () => refreshes.now(true),
    close: refreshes.stop,
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

interface FirstTexts {
  readonly history: ContentText | undefined;
  readonly origins: ContentText | undefined;
  readonly isCopy: boolean;
}

/** The texts to start with: those of the copy if the store is away or has lost its announcements. */
async function readFirst({ content, copy, log }: LiveContentOptions): Promise<FirstTexts> {
  let away: StoreUnavailableError | undefined;
  try {
    const [history, origins] = [await content.read('history.json'), await content.read('origins.json')];
    if (content.kind === 'folder' || history !== undefined) return { history, origins, isCopy: false };
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    away = error;
  }
  const copied = await copy?.read();
  if (copied === undefined) {
    if (away !== undefined) throw away;
    return { history: undefined, origins: undefined, isCopy: false };
  }
  log.warn('this server starts with its last copy of the content', { store: content.name });
  const version = 'copy';
  return {
    history: { version, text: copied.history, log: copied.log },
    origins: { version, text: copied.origins, log: '' },
    isCopy: true,
  };
}

function parseOrigins(
  text: string,
  allowOrigin: readonly OriginPattern[],
  loopback: boolean,
): ParsedText<OriginList> {
  const result = parseOriginsFile(text);
  if ('problems' in result) return { file: 'origins.json', problems: result.problems };
  return { value: createOriginList({ patterns: [...result.patterns, ...allowOrigin], loopback }) };
}

function parseWith(read: HistoryReader): (found: ContentText) => ParsedText<HistoryFile> {
  return ({ text, log }) => {
    const result = read(text, log);
    return 'history' in result ? { value: result.history } : result;
  };
}

interface Prepared {
  readonly content: PreparedContent;
  /** Epoch milliseconds: the prepared answers are valid from `at` until just before `until`. */
  readonly at: number;
  readonly until: number;
}

async function prepare(history: HistoryFile, at: number, branding: Branding): Promise<Prepared> {
  const content = await prepareContent(history, at, branding);
  return { content, at, until: nextTransition(history, at) ?? Number.POSITIVE_INFINITY };
}

/** Also true if the clock was set back, so that the prepared answers are from the future. */
function isStale({ at, until }: Prepared, now: number): boolean {
  return now < at || now >= until;
}

/** Work that never runs concurrently with itself: `now` starts it at once, or after the run in progress. */
function repeat(work: (isForced?: boolean) => Promise<void>, onError: (error: unknown) => void) {
  const stopping = new AbortController();
  let latest: Promise<void> = Promise.resolve();
  const now = (isForced?: boolean) => {
    latest = latest.then(() => work(isForced)).catch(onError);
    return latest;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await now();
      await sleep(refreshInterval, undefined, { ref: false, signal: stopping.signal });
    }
  };
  return {
    now,
    /** Repeats it until `stop`, with a pause in between. */
    start: () => void run().catch(() => undefined), // `stop` aborts the pause
    stop: () => stopping.abort(),
  };
}

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { nextTransition } from '../../announcements/schedule.ts';
import type { OriginPattern } from '../../kit/origin-pattern.ts';
import { createOriginList, type OriginList } from '../http/routing/origins.ts';
import type { Log } from '../settings/log.ts';
import { parseHistoryFile } from '../stores/files/content/history-file.ts';
import { parseOriginsFile } from '../stores/files/content/origins-file.ts';
import { openLiveFile } from './live-file.ts';
import { type PreparedContent, type PublicFace, prepareContent } from './prepared-content.ts';

export interface LiveContentOptions {
  /** The content folder: `history.json`, and `origins.json` where there is one. */
  readonly dir: string;
  /** Origins allowed beside those of the file. */
  readonly allowOrigin: readonly OriginPattern[];
  /** Whether loopback origins count as listed. */
  readonly loopback: boolean;
  readonly face: PublicFace;
  readonly log: Log;
  /** Epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The content as it is on disk and by the clock, prepared for serving. */
export interface LiveContent {
  prepared(): PreparedContent;
  origins(): OriginList;
  /** Grows by one with each change that was read. */
  revision(): number;
  /** What is wrong with the files as they are on disk, a sentence each; none as a rule. */
  problems(): readonly string[];
  /** Reads all files again, changed or not. */
  reload(): Promise<void>;
  close(): void;
}

/** How often files and clock are looked at, in milliseconds: often enough for "within one second" on a busy machine. */
const lookEvery = 250;

/**
 * Reads the content and keeps it in step with disk and clock. Throws where a file is broken at the start; later on a
 * broken file is reported, and what was read before stays in use.
 */
export async function openLiveContent(options: LiveContentOptions): Promise<LiveContent> {
  const { dir, allowOrigin, loopback, face, log, now = Date.now } = options;
  const [origins, history] = await Promise.all([
    openLiveFile({
      path: join(dir, 'origins.json'),
      missing: '{"origins":[]}',
      parse: (text) => toOriginList(text, allowOrigin, loopback),
      log,
    }),
    openLiveFile({ path: join(dir, 'history.json'), parse: toHistory, log }),
  ]);
  let prepared = await prepare(history.value(), now(), face);
  let revision = 1;

  const look = async (isAsked?: boolean) => {
    const hasNewOrigins = await origins.look(isAsked);
    const isNew = await history.look(isAsked);
    if (hasNewOrigins || isNew) revision += 1;
    if (isNew || isStale(prepared, now())) prepared = await prepare(history.value(), now(), face);
  };
  const rounds = repeat(look, (error) => log.error(`content could not be looked at: ${String(error)}`));

  return {
    prepared: () => prepared.content,
    origins: origins.value,
    revision: () => revision,
    problems: () => [origins.problem(), history.problem()].filter((problem) => problem !== undefined),
    reload: () => rounds.now(true),
    close: rounds.stop,
  };
}

function toOriginList(text: string, allowOrigin: readonly OriginPattern[], loopback: boolean) {
  const result = parseOriginsFile(text);
  if ('problems' in result) return result;
  return { value: createOriginList({ patterns: [...result.patterns, ...allowOrigin], loopback }) };
}

function toHistory(text: string) {
  const result = parseHistoryFile(text);
  return 'problems' in result ? result : { value: result.history };
}

interface Prepared {
  readonly content: PreparedContent;
  /** Epoch milliseconds; what is prepared holds from `at` until before `until`. */
  readonly at: number;
  readonly until: number;
}

async function prepare(history: HistoryFile, at: number, face: PublicFace): Promise<Prepared> {
  const content = await prepareContent(history, at, face);
  return { content, at, until: nextTransition(history, at) ?? Number.POSITIVE_INFINITY };
}

/** A clock that was set back makes the prepared answers ones of the future. */
function isStale({ at, until }: Prepared, now: number): boolean {
  return now < at || now >= until;
}

/** Does some work again and again, with a pause in between; `now` does it at once, after what runs. */
function repeat(work: (isAsked?: boolean) => Promise<void>, onError: (error: unknown) => void) {
  const stopping = new AbortController();
  let turn: Promise<void> = Promise.resolve();
  const now = (isAsked?: boolean) => {
    turn = turn.then(() => work(isAsked)).catch(onError);
    return turn;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await now();
      await sleep(lookEvery, undefined, { ref: false, signal: stopping.signal });
    }
  };
  run().catch(() => undefined); // the pause was cut short
  return { now, stop: () => stopping.abort() };
}

import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { publicHistory } from '../../announcements/schedule.ts';
import type { Content } from '../../server/stores/content/content.ts';
import type { CommandIo } from '../program/command-io.ts';
import { readMarks, type ServerMark } from './server-mark.ts';
import { askServer } from './server-question.ts';

/** A server that runs on this machine, and whether it shows what the content now is. */
export interface ServerView {
  readonly url: string;
  /** The folder or store it serves; null where it left no mark. */
  readonly content: string | null;
  readonly shows: boolean;
  /** Whether it serves the content that was changed, which is of this kind. */
  readonly isSame: boolean;
  readonly kind: Content['kind'];
}

/** A running server looks at its files four times a second; a busy machine may take longer. */
const delays = [0, 150, 250, 400, 600, 600];

/**
 * Asks every server that left its mark in the data folder, and the one at the default port, for the public history.
 * The instant of its last change tells two folders apart even where their announcements are alike.
 */
export async function checkServers(
  { kind, name }: Pick<Content, 'kind' | 'name'>,
  dataDir: string,
  history: HistoryFile,
  io: CommandIo,
): Promise<ServerView[]> {
  const marks = withoutRepeats(await readMarks(dataDir));
  const usual = `http://127.0.0.1:${io.env.TYPEBADGE_PORT || '8787'}`;
  const isMarked = marks.some(({ url }) => new URL(url).port === new URL(usual).port);
  const found = [...marks, ...(isMarked ? [] : [{ url: usual, content: null }])];
  const own = kind === 'folder' ? await realpath(name).catch(() => name) : name;
  const views = await Promise.all(
    found.map(async ({ url, content }): Promise<ServerView | undefined> => {
      const isSame = content !== null && (await realpath(content).catch(() => content)) === own;
      // One store has several names, such as those of its host.
      const mayShow = isSame || content === null || (kind === 'store' && !isAbsolute(content));
      const shows = await checkServer(url, mayShow, history, io);
      if (shows === undefined && content === null) return undefined;
      return { url, content, shows: shows === true, isSame, kind };
    }),
  );
  return views.filter((view) => view !== undefined);
}

/** With `--workers` each process leaves a mark: to an editor they are one server. */
function withoutRepeats(marks: readonly ServerMark[]): ServerMark[] {
  const isFirst = ({ url, content }: ServerMark, at: number) =>
    marks.findIndex((mark) => mark.url === url && mark.content === content) === at;
  return marks.filter(isFirst);
}

/** Whether the server shows this history, within a moment where it may; undefined where it shows none. */
async function checkServer(
  url: string,
  mayShow: boolean,
  history: HistoryFile,
  io: CommandIo,
): Promise<boolean | undefined> {
  for (const delay of delays) {
    await sleep(delay);
    const shown = await askServer(url, '/content/history.json');
    if (!isPublicHistory(shown)) return undefined;
    if (isAlike(shown, publicHistory(history, io.now()))) return true;
    // A server of other content will never show it.
    if (!mayShow) break;
  }
  return false;
}

function isPublicHistory(value: unknown): value is object {
  const { announcements, lastUpdated } = Object(value) as Record<string, unknown>;
  return Array.isArray(announcements) && typeof lastUpdated === 'string';
}

function isAlike(shown: object, expected: object): boolean {
  return JSON.stringify(shown) === JSON.stringify(expected);
}

/** What an editor should know before relying on it. */
export function warnOfServers(servers: readonly ServerView[]): string[] {
  return servers
    .filter(({ shows }) => !shows)
    .map(({ url, content, isSame, kind }) => {
      if (isSame) return `the server at ${url} serves this ${kind} but does not show the change yet`;
      const which = content === null ? 'it seems to serve another content folder' : `it serves ${content}`;
      return `the server at ${url} does not show this change: ${which}`;
    });
}

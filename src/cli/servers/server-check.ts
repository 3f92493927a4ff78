import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { publicHistory } from '../../announcements/schedule.ts';
import type { CommandIo } from '../program/command-io.ts';
import { readMarks } from './server-mark.ts';
import { askServer } from './server-question.ts';

/** A server that runs on this machine, and whether it shows what the content folder now holds. */
export interface ServerView {
  readonly url: string;
  /** The folder it serves; null where it left no mark. */
  readonly content: string | null;
  readonly shows: boolean;
  readonly sameFolder: boolean;
}

/** A running server looks at its files four times a second; a busy machine may take longer. */
const delays = [0, 150, 250, 400, 600, 600];

/**
 * Asks every server that left its mark in the data folder, and whoever answers at the default port, for the public history.
 * The instant of its last change tells two folders apart even where their announcements are alike.
 */
export async function checkServers(
  contentDir: string,
  dataDir: string,
  history: HistoryFile,
  io: CommandIo,
): Promise<ServerView[]> {
  const marks = await readMarks(dataDir);
  const usual = `http://127.0.0.1:${io.env.TYPEBADGE_PORT || '8787'}`;
  const isMarked = marks.some(({ url }) => new URL(url).port === new URL(usual).port);
  const found = [...marks, ...(isMarked ? [] : [{ url: usual, content: null }])];
  const own = await realpath(contentDir).catch(() => contentDir);
  const views = await Promise.all(
    found.map(({ url, content }) => checkServer(url, content, own, history, io)),
  );
  return views.filter((view) => view !== undefined);
}

async function checkServer(
  url: string,
  content: string | null,
  own: string,
  history: HistoryFile,
  io: CommandIo,
): Promise<ServerView | undefined> {
  const sameFolder = content !== null && (await realpath(content).catch(() => content)) === own;
  let shown: unknown;
  for (const delay of delays) {
    await sleep(delay);
    shown = await askServer(url, '/content/history.json');
    if (!isPublicHistory(shown))
      return content === null ? undefined : { url, content, shows: false, sameFolder };
    if (isSame(shown, publicHistory(history, io.now()))) return { url, content, shows: true, sameFolder };
    // A server of another folder will never show it.
    if (content !== null && !sameFolder) break;
  }
  return { url, content, shows: false, sameFolder };
}

function isPublicHistory(value: unknown): value is object {
  const { announcements, lastUpdated } = Object(value) as Record<string, unknown>;
  return Array.isArray(announcements) && typeof lastUpdated === 'string';
}

function isSame(shown: object, expected: object): boolean {
  return JSON.stringify(shown) === JSON.stringify(expected);
}

/** What an editor should know before relying on it. */
export function warnOfServers(servers: readonly ServerView[]): string[] {
  return servers
    .filter(({ shows }) => !shows)
    .map(({ url, content, sameFolder }) => {
      if (sameFolder) return `the server at ${url} serves this folder but does not show the change yet`;
      const which = content === null ? 'it seems to serve another content folder' : `it serves ${content}`;
      return `the server at ${url} does not show this change: ${which}`;
    });
}

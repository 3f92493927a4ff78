import { readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { publicHistory } from '../../announcements/schedule.ts';
import { replaceFile } from '../../kit/files/atomic-file.ts';
import { makeFolder } from '../../kit/files/folder.ts';
import { readRegularFile } from '../../kit/files/regular-file.ts';
import { processIdentity, processLife } from '../../kit/process-life.ts';
import type { Content } from '../../server/stores/content/content.ts';
import type { CommandIo } from '../program/command-io.ts';

/** A server of the changed content, and whether it shows the change. */
export interface ServerView {
  readonly url: string;
  /** The folder or store it serves; null if only the server itself knows. */
  readonly content: string | null;
  readonly shows: boolean;
}

/** A running server checks its files four times a second; a busy machine may take longer. */
const delays = [0, 150, 250, 400, 600, 600];

/**
 * Asks every server of this content for the public history; the instant of its last change makes it unique.
 * Such a server is registered in its data folder: this one, or the one that holds the content.
 */
export async function checkServers(
  { name }: Pick<Content, 'name'>,
  dataDir: string,
  history: HistoryFile,
  io: CommandIo,
): Promise<ServerView[]> {
  const folders = new Set([dataDir, dirname(name)]);
  const registered = (await Promise.all([...folders].map(readRegisteredServers))).flat();
  const [own, ...others] = await Promise.all(
    [name, ...registered.map(({ content }) => content)].map(realName),
  );
  // With `--workers` each process is registered: to an editor they are one server.
  const urls = new Set(registered.filter((_, at) => others[at] === own).map(({ url }) => url));
  return Promise.all(
    [...urls].map(async (url) => ({ url, content: name, shows: await showsHistory(url, history, io) })),
  );
}

function realName(content: string): Promise<string> {
  return realpath(content).catch(() => content);
}

async function showsHistory(url: string, history: HistoryFile, io: CommandIo): Promise<boolean> {
  for (const delay of delays) {
    await sleep(delay);
    // No answer within a second, or none that is JSON, shows nothing.
    const shown = await fetch(`${url}/content/history.json`, {
      redirect: 'error',
      signal: AbortSignal.timeout(1_000),
    })
      .then((answer) => answer.json())
      .catch(() => undefined);
    if (JSON.stringify(shown) === JSON.stringify(publicHistory(history, io.now()))) return true;
  }
  return false;
}

const RegisteredServerSchema = v.object({
  /** Without a path. */
  url: v.pipe(v.string(), v.url(), v.regex(/^http:\/\/[\w.:[\]-]+$/)),
  /** The folder or store it serves. */
  content: v.string(),
  process: v.string(),
});
type RegisteredServer = v.InferOutput<typeof RegisteredServerSchema>;

const folderOf = (dataDir: string) => join(dataDir, 'servers');

/**
 * Registers this server in the data folder, so that commands find it; resolves to a function that removes it.
 * Does nothing if the folder cannot be written to.
 */
export async function registerServer(
  dataDir: string,
  server: Omit<RegisteredServer, 'process'>,
): Promise<() => Promise<void>> {
  const path = join(folderOf(dataDir), `${process.pid}.json`);
  try {
    makeFolder(folderOf(dataDir));
    await replaceFile(path, `${JSON.stringify({ ...server, process: processIdentity() })}\n`);
  } catch {
    return async () => undefined;
  }
  return () => rm(path, { force: true }).catch(() => undefined);
}

/** The registered servers that are still running; the files of ended ones are removed. */
export async function readRegisteredServers(dataDir: string): Promise<RegisteredServer[]> {
  const folder = folderOf(dataDir);
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d{1,10}\.json$/.test(name));
  const read = async (name: string): Promise<RegisteredServer[]> => {
    const path = join(folder, name);
    const server = v.parse(RegisteredServerSchema, JSON.parse(String(await readRegularFile(path))));
    if (processLife(server.process) !== 'dead') return [server];
    await rm(path, { force: true });
    return [];
  };
  return (await Promise.all(names.slice(0, 100).map((name) => read(name).catch(() => [])))).flat();
}

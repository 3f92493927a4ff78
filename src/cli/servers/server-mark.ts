import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../kit/files/folder.ts';
import { writeWholeFile } from '../../kit/files/whole-file.ts';
import { lifeOf, type ProcessMark, parseMark, readOwnMark } from '../../kit/process-life.ts';

/** A running server: where it answers, and which content folder or store it serves. */
export interface ServerMark {
  readonly url: string;
  readonly content: string;
  /** Address of its metrics; undefined where it serves none. */
  readonly metrics?: string | undefined;
  readonly process: ProcessMark;
}

const folderOf = (dataDir: string) => join(dataDir, 'servers');

/**
 * Leaves a mark in the data folder, so that commands find this server; resolves to what takes it away. A folder that cannot
 * be written to is no reason not to serve.
 */
export async function leaveMark(
  dataDir: string,
  server: Omit<ServerMark, 'process'>,
): Promise<() => Promise<void>> {
  const path = join(folderOf(dataDir), `${process.pid}.json`);
  try {
    makeFolder(folderOf(dataDir));
    await writeWholeFile(path, `${JSON.stringify({ ...server, process: readOwnMark() })}\n`);
  } catch {
    return async () => undefined;
  }
  return () => rm(path, { force: true }).catch(() => undefined);
}

/** The servers that left their mark and have not ended; marks of dead ones are removed. */
export async function readMarks(dataDir: string): Promise<ServerMark[]> {
  const folder = folderOf(dataDir);
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d{1,10}\.json$/.test(name));
  const marks = await Promise.all(names.slice(0, 100).map((name) => readMark(join(folder, name))));
  return marks.filter((mark) => mark !== undefined);
}

async function readMark(path: string): Promise<ServerMark | undefined> {
  const mark = toMark(await readFile(path, 'utf8').catch(() => ''));
  if (mark === undefined) return undefined;
  if (lifeOf(mark.process) !== 'dead') return mark;
  await rm(path, { force: true }).catch(() => undefined);
  return undefined;
}

function toMark(text: string): ServerMark | undefined {
  try {
    const { url, content, metrics, process: life } = JSON.parse(text) as Record<string, unknown>;
    const parsed = parseMark(life);
    const isServer = isAddress(url) && typeof content === 'string';
    return isServer && parsed !== undefined
      ? { url, content, process: parsed, ...(isAddress(metrics) ? { metrics } : {}) }
      : undefined;
  } catch {
    return undefined;
  }
}

function isAddress(value: unknown): value is string {
  return (
    typeof value === 'string' && /^http:\/\/[\w.:[\]-]+(?:\/metrics)?$/.test(value) && URL.canParse(value)
  );
}

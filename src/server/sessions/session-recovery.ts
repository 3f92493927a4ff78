import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../folder.ts';
import { readLines } from './line-reader.ts';
import { applyLine } from './session-log-line.ts';
import type { StoredSession } from './session-store.ts';

export interface Recovery {
  readonly sessions: StoredSession[];
  /** Where logs were put that could be read in part only. */
  readonly damaged: string[];
  /** To be called when the sessions are safe elsewhere. */
  forget(): Promise<void>;
}

/**
 * Takes over the sessions of an abandoned folder. The folder itself is moved into ours first: only one server can do that,
 * and should this one die before the sessions are safe, the next server finds the folder inside. Resolves to undefined
 * where another server was faster.
 */
export async function recoverSessions(
  from: string,
  to: string,
  damagedDir: string,
): Promise<Recovery | undefined> {
  const taken = join(to, `taken-${basename(from)}`);
  if (!(await rename(from, taken).then(() => true, isMissing))) return undefined;
  const sessions = new Map<string, StoredSession>();
  const damaged: string[] = [];
  await readFolder(taken, sessions, (path) => damaged.push(path));
  const kept: string[] = [];
  for (const path of damaged) kept.push(await putAside(path, damagedDir));
  return {
    sessions: [...sessions.values()],
    damaged: kept,
    forget: () => rm(taken, { recursive: true, force: true }),
  };
}

/** What a folder says, the oldest first: folders that its owner had taken over, then its own logs in their order. */
async function readFolder(
  dir: string,
  sessions: Map<string, StoredSession>,
  onDamage: (path: string) => void,
): Promise<void> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith('taken-'));
  for (const { name } of names) await readFolder(join(dir, name), sessions, onDamage);
  for (const name of entries.map((entry) => entry.name).sort()) {
    if (/^log-\d+\.jsonl$/.test(name) && !(await readLog(join(dir, name), sessions)))
      onDamage(join(dir, name));
  }
}

/** Resolves to false where lines were damaged. A torn last line is none: its writer was killed, or failed and began anew. */
async function readLog(path: string, sessions: Map<string, StoredSession>): Promise<boolean> {
  let isWhole = true;
  const handle = await open(path, 'r');
  try {
    await readLines(handle, 0, (line) => {
      if (!applyLine(sessions, line.toString())) isWhole = false;
    });
  } finally {
    await handle.close();
  }
  return isWhole;
}

async function putAside(path: string, damagedDir: string): Promise<string> {
  await makeFolder(damagedDir);
  const aside = join(damagedDir, `sessions-${Date.now().toString(36)}-${basename(path)}`);
  await rename(path, aside);
  return aside;
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}

import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Session } from './session.ts';
import { sessionFileName } from './session-files.ts';
import { removeTakenFolder } from './session-folder.ts';
import { parseStoredSession } from './stored-session.ts';

export interface Adoption {
  readonly sessions: Session[];
  /** Where files were put that could not be read. */
  readonly damaged: string[];
}

/** Takes over the sessions of an abandoned folder: their files become ours, one by one. */
export async function adoptSessions(from: string, to: string, damagedDir: string): Promise<Adoption> {
  const adoption: Adoption = { sessions: [], damaged: [] };
  for (const name of await readdir(from).catch(() => [])) {
    const path = join(from, name);
    if (name.endsWith('.json.new')) await rm(path, { force: true });
    if (!/^[0-9a-f]{32}\.json$/.test(name)) continue;
    const taken = join(to, name);
    // Another server that starts at the same moment may have been faster.
    if (!(await rename(path, taken).then(() => true, isMissing))) continue;
    const session = parseStoredSession(await readFile(taken, 'utf8'));
    if (session !== undefined && sessionFileName(session.id) === name) adoption.sessions.push(session);
    else adoption.damaged.push(await putAside(taken, damagedDir));
  }
  await removeTakenFolder(from);
  return adoption;
}

async function putAside(path: string, damagedDir: string): Promise<string> {
  await mkdir(damagedDir, { recursive: true });
  const aside = join(damagedDir, `session-${basename(path)}`);
  await rename(path, aside);
  return aside;
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}

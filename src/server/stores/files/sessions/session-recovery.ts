import { rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import type { StoredSession } from '../../ports.ts';
import {
  applyEvent,
  draftBytes,
  type SessionDrafts,
  toStoredSession,
} from '../../session-events/session-draft.ts';
import type { SessionEvent } from '../../session-events/session-event.ts';
import { findLogs, readLog } from './session-log-reader.ts';
import {
  createSessionOverflow,
  type SessionOverflow,
  type SessionOverflowOptions,
} from './session-overflow.ts';

export interface RecoveryOptions extends SessionOverflowOptions {
  /** The abandoned folder. */
  readonly from: string;
  /** This server's own folder. */
  readonly to: string;
  /** Bytes available for sessions. */
  readonly room: number;
  readonly onSession: (stored: StoredSession) => void;
}

export interface Recovery {
  /** Copies of logs that could only be read in part. */
  readonly damaged: readonly string[];
  /** The sessions that there was no room for; undefined if there were none. */
  readonly aside:
    | { readonly sessions: number; readonly file: string; readonly problem: Error | undefined }
    | undefined;
  /** Removes the old logs. Call it once the sessions are safe elsewhere. */
  forget(): Promise<void>;
}

/**
 * Takes over the sessions of an abandoned folder, as far as there is room, most recently used first. The folder is first moved
 * into ours: only one server can do that, and if this one dies before the sessions are safe, the next server finds the folder
 * inside. Resolves to undefined if another server was faster.
 *
 * Logs larger than the available room are read twice, first to see which sessions fit, so that memory never holds more.
 */
export async function recoverSessions(options: RecoveryOptions): Promise<Recovery | undefined> {
  const taken = join(options.to, `taken-${basename(options.from)}`);
  if (!(await rename(options.from, taken).then(() => true, isMissing))) return undefined;
  const logs = await findLogs(taken);
  const { choice, drafts, damaged, overflow } = await readSessions(logs, options);
  if (!handOver(drafts, options.onSession)) damaged.push(...logs.filter((path) => !damaged.includes(path)));
  const kept: string[] = [];
  for (const path of damaged) kept.push(await putAside(path, join(options.dataDir, 'damaged')));
  const { left } = choice;
  return {
    damaged: kept,
    aside:
      left.size === 0 ? undefined : { sessions: left.size, file: overflow.file, problem: overflow.problem() },
    forget: () => rm(taken, { recursive: true, force: true }),
  };
}

interface ReadSessions {
  readonly choice: Choice;
  readonly drafts: SessionDrafts;
  /** Logs with lines that could not be read. */
  readonly damaged: string[];
  readonly overflow: SessionOverflow;
}

async function readSessions(logs: readonly string[], options: RecoveryOptions): Promise<ReadSessions> {
  const overflow = createSessionOverflow(options);
  const readChosen = async (choice: Choice | undefined) => {
    const drafts: SessionDrafts = new Map();
    const damaged: string[] = [];
    for (const path of logs) {
      if (!(await takeLog(path, choice, { drafts, overflow }))) damaged.push(path);
    }
    return { drafts, damaged };
  };
  if ((await sizeOf(logs)) <= options.room) {
    const all = await readChosen(undefined);
    const choice = choose(all.drafts, options.room);
    if (choice.left.size === 0) return { ...all, choice, overflow };
  }
  const choice = await chooseSessions(logs, options.room);
  return { ...(await readChosen(choice)), choice, overflow };
}

async function sizeOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

interface Choice {
  readonly chosen: ReadonlySet<string>;
  readonly left: ReadonlySet<string>;
}

async function chooseSessions(logs: readonly string[], room: number): Promise<Choice> {
  const drafts: SessionDrafts = new Map();
  for (const path of logs) {
    await readLog(path, (events = []) => {
      for (const event of events) applyEvent(drafts, event, { keepsText: false });
    });
  }
  return choose(drafts, room);
}

/** Chooses sessions in order of their last use, most recent first. */
function choose(drafts: SessionDrafts, room: number): Choice {
  const chosen = new Set<string>();
  const left = new Set<string>();
  let taken = 0;
  for (const [id, draft] of [...drafts].sort(([, a], [, b]) => b.used - a.used)) {
    const bytes = draftBytes(draft);
    const fits = taken + bytes <= room;
    if (fits) taken += bytes;
    (fits ? chosen : left).add(id);
  }
  return { chosen, left };
}

/** Resolves to false if lines were damaged. Without a choice, all sessions are taken. */
async function takeLog(
  path: string,
  choice: Choice | undefined,
  { drafts, overflow }: { readonly drafts: SessionDrafts; readonly overflow: SessionOverflow },
): Promise<boolean> {
  let isWhole = true;
  const take = (events: readonly SessionEvent[] | undefined, line: Buffer) => {
    if (events === undefined) isWhole = false;
    const id = events?.[0] && idOf(events[0]);
    if (events === undefined || id === undefined) return;
    if (choice?.left.has(id)) overflow.add(events, line);
    if (choice !== undefined && !choice.chosen.has(id)) return;
    for (const event of events) if (!applyEvent(drafts, event, { keepsText: true })) isWhole = false;
  };
  await readLog(path, take, overflow.flush);
  return isWhole;
}

/** Returns false if a session has inputs that its round cannot have accepted. */
function handOver(drafts: SessionDrafts, onSession: RecoveryOptions['onSession']): boolean {
  let isWhole = true;
  for (const [id, draft] of drafts) {
    const session = toStoredSession(draft);
    if (!session.isWhole) isWhole = false;
    onSession(session.stored);
    drafts.delete(id);
  }
  return isWhole;
}

function idOf(event: SessionEvent): string {
  if ('gone' in event) return event.gone;
  return 'session' in event ? event.session.id : event.id;
}

async function putAside(path: string, damagedDir: string): Promise<string> {
  makeFolder(damagedDir);
  const aside = join(damagedDir, `sessions-${Date.now().toString(36)}-${basename(path)}`);
  await rename(path, aside);
  return aside;
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}

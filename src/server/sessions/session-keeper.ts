import { join } from 'node:path';
import { makeFolder } from '../folder.ts';
import type { Log } from '../log.ts';
import type { HistoryBook } from './history-book.ts';
import { createMemorySessionStore, type MemorySessionStore } from './memory-session-store.ts';
import type { RoundJournal } from './round-journal.ts';
import type { Session } from './session.ts';
import { findAbandonedFolders, openSessionFolder } from './session-folder.ts';
import { createSessionLog, type SessionLog } from './session-log.ts';
import { recoverSessions } from './session-recovery.ts';
import type { SessionStore, StoredSession } from './session-store.ts';

/** How often unused sessions are looked for and this server says that it lives; at most, in milliseconds. */
const roundsOfInspection = 30_000;
/** A server that ended is given this long to start again and take its sessions back, before a running one does. */
const graceForOwner = 120_000;

export interface SessionKeeperOptions {
  readonly dataDir: string;
  readonly ttl: number;
  readonly maxSessions: number;
  readonly journal: RoundJournal;
  readonly book: HistoryBook;
  readonly log: Log;
  readonly now: () => number;
}

export class UnsavedRoundsError extends Error {
  constructor(cause: Error) {
    super(`finished rounds could not be saved: ${cause.message}`, { cause });
    this.name = 'UnsavedRoundsError';
  }
}

/** The open sessions of this server: in memory, written behind, taken over from a server that has ended. */
export interface SessionKeeper {
  readonly store: SessionStore;
  /** Writes now what would be written within a moment. Never rejects: what fails is tried again later. */
  persist(): Promise<void>;
  /**
   * Appends a session's unsaved rounds to the journal. Resolves to false when there is no such session, and rejects with
   * `UnsavedRoundsError` when they could not be written: they stay in the session.
   */
  save(id: string): Promise<boolean>;
  /** Saves everything and gives the sessions to the next server. */
  close(): Promise<void>;
}

export async function openSessionKeeper(options: SessionKeeperOptions): Promise<SessionKeeper> {
  const { dataDir, journal, log } = options;
  const root = join(dataDir, 'sessions');
  await makeFolder(root);
  const folder = await openSessionFolder(root);
  const store: MemorySessionStore = createMemorySessionStore({
    ttl: options.ttl,
    limit: options.maxSessions,
    now: options.now,
    onChange: (id) => sessionLog.changed(id),
  });
  const sessionLog: SessionLog = createSessionLog({
    dir: folder.dir,
    sessionOf: store.peek,
    allIds: store.ids,
    onProblem: ({ message }) =>
      log.error(`open sessions cannot be written and stay in memory only: ${message}`, { folder: root }),
  });

  const takeOver = async (silence: number) => {
    for (const dir of await findAbandonedFolders(root, silence)) {
      const recovery = await recoverSessions(dir, folder.dir, join(dataDir, 'damaged'));
      if (recovery === undefined) continue;
      for (const stored of recovery.sessions) restore(store, stored, options);
      for (const aside of recovery.damaged)
        log.error('a damaged log of open sessions was put aside', { file: aside });
      if (await sessionLog.flush()) await recovery.forget();
    }
  };
  const append = (rounds: Session['unsaved']) =>
    journal.append(rounds).catch((error) => {
      throw new UnsavedRoundsError(error);
    });
  const saveRounds = async (session: Session) => {
    await append(session.unsaved);
    const saved = new Set(session.unsaved.map((round) => round.id));
    await store.update(session.id, (current) => ({
      session: { ...current, unsaved: current.unsaved.filter((round) => !saved.has(round.id)) },
      result: undefined,
    }));
  };
  const removeExpired = async () => {
    for (const session of store.expired()) {
      await append(session.unsaved);
      store.evict(session.id);
    }
  };
  const inspect = async () => {
    await folder.touch();
    await takeOver(graceForOwner);
    await removeExpired();
  };
  const timer = setInterval(
    () => inspect().catch(({ message }) => log.error(`unused sessions stay for now: ${message}`)),
    Math.min(roundsOfInspection, Math.max(1000, options.ttl / 4)),
  ).unref();

  await takeOver(0);
  await removeExpired().catch(({ message }) => log.error(`unused sessions stay for now: ${message}`));

  return {
    store,
    async persist() {
      // While the disk is full, nobody waits for one futile attempt after the other.
      if (!sessionLog.isFailing()) await sessionLog.flush();
    },
    async save(id) {
      const session = await store.read(id);
      if (session !== undefined && session.unsaved.length > 0) await saveRounds(session);
      return session !== undefined;
    },
    async close() {
      clearInterval(timer);
      try {
        for (const { session } of await store.list())
          if (session.unsaved.length > 0) await saveRounds(session);
        await removeExpired();
      } catch (error) {
        log.error(`${(error as Error).message}; they wait with their sessions`, { folder: root });
      }
      await sessionLog.close();
      const isEmpty = store.ids().next().done === true;
      await folder.release(isEmpty);
    },
  };
}

/** Takes in a session of a server that has ended. What its journal already holds is not unsaved any more. */
function restore(
  store: MemorySessionStore,
  stored: StoredSession,
  { journal, book }: SessionKeeperOptions,
): void {
  const { session, lastUsed } = stored;
  const unsaved = session.unsaved.filter((round) => !journal.has(round.id));
  book.add(unsaved);
  // A server that had been stopped and went on may have left the same session twice: the later one goes on.
  const twin = store.peek(session.id);
  const later = twin !== undefined && twin.lastUsed > lastUsed ? twin : stored;
  const all = [...(twin?.session.unsaved ?? []), ...unsaved];
  store.restore({ session: { ...later.session, unsaved: all }, lastUsed: later.lastUsed });
}

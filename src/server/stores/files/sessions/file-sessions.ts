import { join } from 'node:path';
import { makeFolder } from '../../../../kit/folder.ts';
import type { Log } from '../../../settings/log.ts';
import { createMemorySessions } from '../../memory/memory-sessions.ts';
import { clientsInMemory } from '../../memory/session-memory.ts';
import type { Sessions } from '../../ports.ts';
import { keepUnsaved } from '../../round-keeping.ts';
import type { FileRounds } from '../rounds/file-rounds.ts';
import { openSessionFolder } from './session-folder.ts';
import { createSessionLog, type SessionLog } from './session-log.ts';
import { createTakeover } from './session-takeover.ts';

/** How often unused sessions are looked for and this server marks itself alive; at most, in milliseconds. */
const sweepInterval = 30_000;
/** A server that ended is given this long to start again and take its sessions back, before a running one does. */
const graceForOwner = 120_000;

export interface FileSessionsOptions {
  /** Folder of the round journal and the open sessions. */
  readonly dataDir: string;
  /** Milliseconds after which an unused session goes. */
  readonly sessionTtl: number;
  /** Open sessions at once. */
  readonly maxSessions: number;
  /** Bytes that all open sessions together may take. */
  readonly sessionMemory: number;
  /** Open sessions at once of one player, and of one client, where strangers can reach the server. Default: no bound. */
  readonly maxSessionsPerClient?: number;
  /** Whether strangers can reach the server. Default: false. */
  readonly isExposed?: boolean;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly rounds: FileRounds;
}

/** The open sessions of this server: in memory, written behind, taken over from a server that has ended. */
export interface FileSessions extends Sessions {
  /** Keeps every finished round and gives the sessions to the next server. */
  close(): Promise<void>;
}

export async function openFileSessions(options: FileSessionsOptions): Promise<FileSessions> {
  const { dataDir, rounds, log } = options;
  const root = join(dataDir, 'sessions');
  makeFolder(root);
  const folder = await openSessionFolder(root);
  const memory = createMemorySessions({
    ttl: options.sessionTtl,
    limit: options.maxSessions,
    memory: options.sessionMemory,
    ...(options.isExposed && {
      limitPerClient: options.maxSessionsPerClient,
      memoryPerClient: options.sessionMemory / clientsInMemory,
    }),
    now: options.clock,
    onChange: (id) => sessionLog.changed(id),
  });
  rounds.findUnsavedBy(memory.unsavedOf);
  const sessionLog: SessionLog = createSessionLog({
    dir: folder.dir,
    sessionOf: memory.peek,
    allIds: memory.ids,
    onProblem: ({ message }) =>
      log.error(`open sessions cannot be written and stay in memory only: ${message}`, { folder: root }),
  });

  const takeover = createTakeover({ ...options, root, dir: folder.dir, memory, sessionLog });
  const removeExpired = async () => {
    for (const { id, player } of memory.expired()) {
      // Looked up one after the other, after the mark, for a player may ask to be forgotten in between.
      const mark = await rounds.mark(player);
      const session = memory.peek(id)?.session;
      if (session !== undefined) await rounds.keep(player, session.unsaved, mark);
      memory.evict(id);
    }
  };
  /** What forgotten players typed is still in the log; a player who asks to be forgotten often makes no more work than this. */
  let isLogStale = false;
  const sweep = async () => {
    await folder.touch();
    if (isLogStale) sessionLog.rewrite();
    isLogStale = false;
    await takeover.run(graceForOwner);
    await removeExpired();
  };
  const onSweepProblem = ({ message }: Error) =>
    log.error(`unused sessions could not be removed for now: ${message}`);
  const timer = setInterval(
    () => sweep().catch(onSweepProblem),
    Math.min(sweepInterval, Math.max(1000, options.sessionTtl / 4)),
  ).unref();

  await takeover.run(0);
  await removeExpired().catch(onSweepProblem);

  const sessions: Sessions = {
    ...memory,
    async forget(player) {
      await memory.forget(player);
      isLogStale = true;
      if (!(await sessionLog.flush())) throw new Error('the end of sessions could not be written to disk');
      // Else a server that starts after a crash might find them in a log that was taken over, and their end nowhere: a log
      // that is rewritten has only what is there.
      await takeover.settle();
    },
    async flush() {
      // While the disk is full, nobody waits for one futile attempt after the other.
      if (!sessionLog.isFailing()) await sessionLog.flush();
    },
  };
  return {
    ...sessions,
    async close() {
      clearInterval(timer);
      try {
        for (const id of memory.ids()) {
          const session = memory.peek(id)?.session;
          if (session !== undefined) await keepUnsaved({ sessions, rounds }, session);
        }
        await removeExpired();
      } catch (error) {
        log.error(`${(error as Error).message}; they wait with their sessions`, { folder: root });
      }
      const { hasLeftovers } = await takeover.settle();
      await sessionLog.close();
      const isEmpty = memory.ids().next().done === true && !hasLeftovers;
      await folder.release(isEmpty);
    },
  };
}

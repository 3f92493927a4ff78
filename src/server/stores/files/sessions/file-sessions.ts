import { join } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import type { Log } from '../../../settings/log.ts';
import { createMemorySessions, type MemorySessionsOptions } from '../../memory/memory-sessions.ts';
import { clientsInMemory } from '../../memory/session-memory.ts';
import type { Sessions } from '../../ports.ts';
import { keepUnsaved } from '../../round-keeping.ts';
import type { FileRounds } from '../rounds/file-rounds.ts';
import { openSessionFolder } from './session-folder.ts';
import { createSessionLog, type SessionLog } from './session-log.ts';
import { createSessionSweep } from './session-sweep.ts';
import { createTakeover } from './session-takeover.ts';

export interface FileSessionsOptions {
  /** Data folder, with the journals and the open sessions. */
  readonly dataDir: string;
  /** Milliseconds after which an unused session is closed. */
  readonly sessionTtl: number;
  /** Most open sessions. */
  readonly maxSessions: number;
  /** Most memory of all open sessions together, in bytes. */
  readonly sessionMemory: number;
  /** Most open sessions of one player, and of one client, if strangers can reach the server. Default: no limit. */
  readonly maxSessionsPerClient?: number;
  /** Whether strangers can reach the server. Default: false. */
  readonly isExposed?: boolean;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly rounds: FileRounds;
}

/** The open sessions of this server: kept in memory, written in the background, taken over from servers that have ended. */
export interface FileSessions extends Sessions {
  /** Saves every finished round, and leaves the sessions to the next server. */
  close(): Promise<void>;
}

export async function openFileSessions(options: FileSessionsOptions): Promise<FileSessions> {
  const { dataDir, rounds, log } = options;
  const root = join(dataDir, 'sessions');
  makeFolder(root);
  const folder = await openSessionFolder(root);
  const memory = createMemorySessions({ ...boundsOf(options), onChange: (id) => sessionLog.changed(id) });
  rounds.findUnsavedBy(memory.unsavedOf);
  const sessionLog: SessionLog = createSessionLog({
    dir: folder.dir,
    sessionOf: memory.peek,
    allIds: memory.ids,
    onProblem: ({ message }) =>
      log.error(`open sessions cannot be written and stay in memory only: ${message}`, { folder: root }),
  });

  const takeover = createTakeover({ ...options, root, dir: folder.dir, memory, sessionLog });
  const sweep = createSessionSweep({ ...options, folder, memory, sessionLog, takeover });
  await sweep.start();

  const sessions: Sessions = {
    ...memory,
    async forget(player) {
      await memory.forget(player);
      sweep.noteForgotten();
      if (!(await sessionLog.flush())) throw new Error('the end of sessions could not be written to disk');
      // Otherwise a server that starts after a crash might find closed sessions in a log that was taken over, without the record of
      // their end: a rewritten log has only what still exists.
      await takeover.settle();
    },
    async flush() {
      // While the disk is full, nobody should wait for attempts that keep failing.
      if (!sessionLog.isFailing()) await sessionLog.flush();
    },
  };
  return {
    ...sessions,
    async close() {
      sweep.stop();
      try {
        for (const id of memory.ids()) {
          const session = memory.peek(id)?.session;
          if (session !== undefined) await keepUnsaved({ sessions, rounds }, session);
        }
        await sweep.removeExpired();
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

function boundsOf(options: FileSessionsOptions): Omit<MemorySessionsOptions, 'onChange'> {
  return {
    ttl: options.sessionTtl,
    limit: options.maxSessions,
    memory: options.sessionMemory,
    ...(options.isExposed && {
      limitPerClient: options.maxSessionsPerClient,
      memoryPerClient: options.sessionMemory / clientsInMemory,
    }),
    now: options.clock,
  };
}

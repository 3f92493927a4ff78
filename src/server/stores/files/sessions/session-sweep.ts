import type { Log } from '../../../settings/log.ts';
import type { MemorySessions } from '../../memory/memory-sessions.ts';
import type { FileRounds } from '../rounds/file-rounds.ts';
import type { SessionFolder } from './session-folder.ts';
import type { SessionLog } from './session-log.ts';
import type { Takeover } from './session-takeover.ts';

/** Longest interval, in milliseconds, between two sweeps, which close unused sessions and mark this server as alive. */
const sweepInterval = 30_000;
/** Milliseconds that a server that has ended has to restart and take its sessions back, before a running one takes them. */
const graceForOwner = 120_000;

export interface SessionSweepOptions {
  readonly folder: SessionFolder;
  readonly memory: MemorySessions;
  readonly rounds: FileRounds;
  readonly sessionLog: SessionLog;
  readonly takeover: Takeover;
  /** Milliseconds after which an unused session is closed. */
  readonly sessionTtl: number;
  readonly log: Log;
}

/** Regularly closes unused sessions and takes over those of servers that have ended. */
export interface SessionSweep {
  /** Sweeps once, without grace for other servers, and then regularly. */
  start(): Promise<void>;
  /** Saves the rounds of unused sessions, then closes them. Rejects, after the last one, if a round could not be saved. */
  removeExpired(): Promise<void>;
  /** Notes that the log contains data of a forgotten player: the next sweep rewrites it. */
  noteForgotten(): void;
  stop(): void;
}

export function createSessionSweep(options: SessionSweepOptions): SessionSweep {
  const { folder, sessionLog, takeover, sessionTtl, log } = options;
  /** Whether the log still contains data of forgotten players. A flag, so that frequent requests do not cost one rewrite each. */
  let isLogStale = false;
  let timer: NodeJS.Timeout | undefined;
  const removeExpired = () => keepAndEvict(options);
  const sweep = async () => {
    await folder.touch();
    if (isLogStale) sessionLog.rewrite();
    isLogStale = false;
    await takeover.run(graceForOwner);
    await removeExpired();
  };
  const onProblem = ({ message }: Error) =>
    log.error(`unused sessions could not be removed for now: ${message}`);
  return {
    async start() {
      const interval = Math.min(sweepInterval, Math.max(1000, sessionTtl / 4));
      timer = setInterval(() => sweep().catch(onProblem), interval).unref();
      await takeover.run(0);
      await removeExpired().catch(onProblem);
    },
    removeExpired,
    noteForgotten() {
      isLogStale = true;
    },
    stop: () => clearInterval(timer),
  };
}

/** A session whose rounds cannot be saved now stays for the next sweep, and the others do not wait for it. */
async function keepAndEvict({ memory, rounds }: SessionSweepOptions): Promise<void> {
  memory.evictIdle();
  const problems: unknown[] = [];
  for (const { id, player } of memory.expired()) {
    // Each session is looked up after its mark is taken, because a player may ask to be forgotten in between.
    const mark = await rounds.mark(player);
    const session = memory.peek(id)?.session;
    if (session === undefined) continue;
    try {
      await rounds.keep(player, session.unsaved, mark);
      // Unless its twin was taken over from another server meanwhile, with rounds of its own.
      if (memory.peek(id)?.session === session) memory.evict(id);
    } catch (problem) {
      problems.push(problem);
    }
  }
  if (problems.length > 0) throw problems[0];
}

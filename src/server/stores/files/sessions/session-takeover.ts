import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../settings/log.ts';
import { parseJournalLine } from '../../journal-line.ts';
import type { MemorySessions } from '../../memory/memory-sessions.ts';
import { localPlayer, type PlayerId } from '../../player.ts';
import type { StoredSession } from '../../ports.ts';
import { parseUnsaved, type UnsavedRound } from '../../unsaved-rounds.ts';
import type { FileRounds } from '../rounds/file-rounds.ts';
import { findAbandonedFolders } from './session-folder.ts';
import type { SessionLog } from './session-log.ts';
import { findLogs, isOfLaterVersion } from './session-log-reader.ts';
import { type Recovery, recoverSessions } from './session-recovery.ts';

/** How long to delay the log after a takeover, in milliseconds: a starting server has more urgent work. */
const settleDelay = 1_000;

export interface TakeoverOptions {
  readonly dataDir: string;
  /** The folder that contains the session folders of all servers. */
  readonly root: string;
  /** This server's own folder in it. */
  readonly dir: string;
  /** Most memory of all open sessions together, in bytes. */
  readonly sessionMemory: number;
  readonly memory: MemorySessions;
  readonly sessionLog: SessionLog;
  readonly rounds: FileRounds;
  readonly log: Log;
}

/** Takes over the sessions of servers that have ended. */
export interface Takeover {
  /** Takes over folders untouched for so many milliseconds. Never rejects: unreadable ones are reported and left alone. */
  run(silence: number): Promise<void>;
  /**
   * Waits until the sessions taken over are safe in this server's own log, which is written in the background: until then the
   * other server's logs stay in this one's folder, where the next server would find them. Resolves to whether some of them are
   * still there because they could not be taken over.
   */
  settle(): Promise<{ readonly hasLeftovers: boolean }>;
}

export function createTakeover(options: TakeoverOptions): Takeover {
  const { root, dir, dataDir, memory, sessionLog, rounds, log } = options;
  /** Folders that have already been reported. */
  const refused = new Set<string>();
  let hasLeftovers = false;
  let settling: Promise<void> = Promise.resolve();
  const pause = createPause(settleDelay);

  const report = (folder: string, message: string) => {
    if (!refused.has(folder)) log.error(message, { folder });
    refused.add(folder);
  };
  const take = async (from: string) => {
    if (await isForLaterVersion(from)) {
      report(from, 'open sessions were written by a later version of typebadge and are left to it');
      return;
    }
    const recovery = await recoverSessions({
      from,
      to: dir,
      dataDir,
      room: options.sessionMemory - memory.bytes(),
      onSession: (stored) => restore(memory, stored, rounds),
      keep: (unsaved) => keepOfAll(rounds, unsaved),
    });
    if (recovery === undefined) return;
    reportRecovery(recovery, log);
    settling = settling
      .then(() => settle(recovery))
      .catch((error) => {
        hasLeftovers = true;
        report(from, `open sessions were taken over, but their old log cannot be removed: ${error.message}`);
      });
  };
  const settle = async (recovery: Recovery) => {
    await pause.wait();
    if ((await sessionLog.flush()) && recovery.aside?.problem === undefined) await recovery.forget();
    else hasLeftovers = true;
  };
  return {
    async run(silence) {
      const folders = await findAbandonedFolders(root, silence).catch((error) => {
        report(root, `abandoned sessions cannot be looked for: ${error.message}`);
        return [];
      });
      for (const folder of folders) {
        await take(folder).catch((error) => {
          hasLeftovers = true;
          report(folder, `open sessions cannot be taken over and are left as they are: ${error.message}`);
        });
      }
    },
    async settle() {
      pause.end();
      await settling;
      return { hasLeftovers };
    },
  };
}

/** A wait that can be ended early, even before it begins. */
function createPause(delay: number): { wait(): Promise<void>; end(): void } {
  const controller = new AbortController();
  const { signal } = controller;
  return {
    wait: () => sleep(delay, undefined, { signal, ref: false }).catch(() => undefined),
    end: () => controller.abort(),
  };
}

async function isForLaterVersion(folder: string): Promise<boolean> {
  for (const path of await findLogs(folder).catch(() => []))
    if (await isOfLaterVersion(path).catch(() => false)) return true;
  return false;
}

/** Saves the rounds of sessions that there is no room for, player by player. */
async function keepOfAll(rounds: FileRounds, unsaved: readonly UnsavedRound[]): Promise<void> {
  const byPlayer = new Map<PlayerId, UnsavedRound[]>();
  for (const round of unsaved) {
    const player = parseJournalLine(round.line)?.player ?? localPlayer;
    byPlayer.set(player, [...(byPlayer.get(player) ?? []), round]);
  }
  for (const [player, own] of byPlayer) await rounds.keep(player, own);
}

/** Restores a session of a server that has ended. Rounds that are already in the journal count once and are not saved again. */
function restore(memory: MemorySessions, stored: StoredSession, rounds: FileRounds): void {
  const { session, lastUsed } = stored;
  const { unsaved } = session;
  if (unsaved.length > 0) rounds.note(session.player, parseUnsaved(unsaved));
  // A server that was suspended and resumed may have left the same session twice: the later state wins.
  const twin = memory.peek(session.id);
  const later = twin !== undefined && twin.lastUsed > lastUsed ? twin : stored;
  const all = new Map([...(twin?.session.unsaved ?? []), ...unsaved].map((round) => [round.id, round]));
  memory.restore({ session: { ...later.session, unsaved: [...all.values()] }, lastUsed: later.lastUsed });
}

function reportRecovery({ damaged, aside }: Recovery, log: Log): void {
  for (const file of damaged) log.error('a damaged log of open sessions was put aside', { file });
  if (aside === undefined) return;
  const { sessions, file, problem } = aside;
  if (problem !== undefined) {
    log.error(
      `open sessions found no room in memory and could not be put aside: ${problem.message}; the next start tries again`,
      { sessions },
    );
    return;
  }
  log.error(
    'open sessions found no room in memory (see --session-memory) and were put aside; their finished rounds are saved',
    { sessions, file },
  );
}

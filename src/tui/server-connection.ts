import { join } from 'node:path';
import { recordEndedRounds } from './ended-rounds.ts';
import { createSessionClient, type SessionClient } from './link/session/session-client.ts';
import type { FoundServer, PlayConfig } from './play-config.ts';
import type { Player } from './player.ts';
import { type BrokerClosing, createRoundBroker, type RoundBroker } from './round-broker.ts';
import { handleUnsentRounds } from './unsent-rounds.ts';

/** The server that the player gets rounds from, once it is found. */
export interface ServerConnection {
  /** Begins to play with it, after what earlier clients have left was looked through, and not before `ready`. */
  begin(server: FoundServer, ready: Promise<unknown>): Promise<void>;
  /** Waits for what is on its way, and leaves the rest on disk. Resolves to whether the current round is there, with every key. */
  leave(closing: BrokerClosing): Promise<boolean>;
  /** Leaves everything on disk at once: the process is about to end. */
  detach(): void;
  /** Waits for nothing more of a server that is still looked through. */
  close(): void;
}

export function createServerConnection(config: PlayConfig, player: Player): ServerConnection {
  const closing = new AbortController();
  let rounds: RoundBroker | undefined;

  return {
    async begin(server, ready) {
      const client = createSessionClient(server.url, { key: server.key });
      closing.signal.addEventListener('abort', () => void client.close());
      const found = await openRounds(config, server, client, player);
      await ready;
      if (closing.signal.aborted) return found.rounds.detach(); // nobody waits for a round any more
      rounds = found.rounds;
      player.start(rounds, found.findings);
    },
    leave: async (how) => (await rounds?.close(how)) ?? false,
    detach() {
      rounds?.detach();
    },
    close() {
      closing.abort();
    },
  };
}

async function openRounds(
  { folders, offline }: PlayConfig,
  { name: server, isAway, isUnknownName, isOffline }: FoundServer,
  client: SessionClient,
  { dispatch }: Player,
) {
  const unsentFolder = join(folders.data, 'unsent');
  await recordEndedRounds(unsentFolder, folders.data).catch(() => {}); // a full disk: the next start tries again
  const isSilent = isAway === true || isOffline === true;
  const findings = await handleUnsentRounds({ folder: unsentFolder, client, server, isSilent });
  const heldUp = findings.heldUp.at(-1);
  const own = { client, server, unsentFolder, offline, isAway, isUnknownName, isOffline, heldUp };
  return { rounds: createRoundBroker({ ...own, onEvent: dispatch }), findings };
}

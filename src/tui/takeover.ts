import { join } from 'node:path';
import { recordEndedRounds } from './ended-rounds.ts';
import type { EndOfPlay, SignalledEnding } from './ending.ts';
import { readClock } from './input/stall-watch.ts';
import { createSessionClient, type SessionClient } from './link/session-client.ts';
import type { FoundServer, PlayConfig } from './play-config.ts';
import { createPlayer, type Player } from './player.ts';
import { type Remainder, toRemainder } from './remainder.ts';
import { createRoundBroker, type RoundBroker } from './round-broker.ts';
import { createBoard } from './screens/board.ts';
import { createOpeningStage } from './screens/opening-stage.ts';
import type { Stage } from './screens/stage.tsx';
import { listenToProcess } from './terminal/process-events.ts';
import type { Size } from './terminal/size.ts';
import type { Terminal } from './terminal/terminal.ts';
import { handleUnsentRounds } from './unsent-rounds.ts';

/** The terminal while the client has it: the player, the stage it is drawn on, and what the process is asked to do. */
export interface Takeover {
  readonly player: Player;
  /** Draws, from now on. */
  openStage(): void;
  /** Begins to play with a server; nothing is shown to type before `ready`. */
  begin(server: FoundServer, ready: Promise<unknown>): Promise<void>;
  /** Gives the terminal back, and waits a moment for what is on its way to the server. Resolves to what is left then. */
  leave(ending: SignalledEnding): Promise<Remainder>;
  /** What must happen even if nothing else can; may be called again. */
  restore(): void;
  close(): void;
}

/** What is on its way may take this long when the typist leaves, ms. */
const leavingGrace = 1500;

export function takeOver(config: PlayConfig, terminal: Terminal, ending: EndOfPlay): Takeover {
  let stage: Stage | undefined;
  let client: SessionClient | undefined;
  let rounds: RoundBroker | undefined;
  let isClosed = false;
  const events = listenToProcess({
    onEnd: (signal) => ending.end({ keepUnfinished: true, signal }),
    onStop: suspend,
    onContinue() {
      terminal.enter();
      stage?.repaint();
    },
    onError: ending.fail,
    onExit: restore,
  });
  const player = createPlayer({
    ...config,
    draw: (app) => stage?.draw(app),
    repaint: () => stage?.repaint(),
    bell: () => terminal.write('\x07'),
    suspend,
    end: (how) => ending.end({ ...how, signal: undefined }),
  });
  terminal.onResize(resize);

  return {
    player,
    openStage() {
      const board = createBoard(terminal, config.depth);
      const options = { depth: config.depth, onError: ending.fail };
      const load = async () => {
        const { createStage } = await import('./screens/stage.tsx');
        return createStage(terminal, options, board);
      };
      stage = createOpeningStage(board, { load, onError: ending.fail });
      resize(terminal.size);
    },
    async begin(server, ready) {
      client = createSessionClient(server.url, { key: server.key });
      const found = await openRounds(config, server, client, player);
      await ready;
      if (isClosed) return found.rounds.detach(); // nobody is there any more: a round would be begun for ever
      rounds = found.rounds;
      player.start(rounds, found.findings);
    },
    async leave({ signal, keepUnfinished }) {
      terminal.leave();
      player.keep();
      player.close();
      const grace = signal === undefined ? leavingGrace : 0;
      const isOnDisk = (await rounds?.close({ grace, keepUnfinished })) ?? false;
      return toRemainder(player.app, { keepUnfinished }, isOnDisk);
    },
    restore,
    close() {
      isClosed = true;
      player.close();
      void client?.close(); // of a server that is still looked through: nothing is to be waited for any more
      events.close();
      terminal.close();
      stage?.close();
    },
  };

  function resize(size: Size): void {
    if (stage !== undefined) player.dispatch({ type: 'resize', size: stage.resize(size) });
  }

  function suspend(): void {
    if (process.platform === 'win32') return; // there are no stopped jobs
    player.dispatch({ type: 'pause', time: readClock() });
    player.keep();
    terminal.leave();
    events.stopThisJob();
  }

  function restore(): void {
    terminal.leave();
    player.keep();
    rounds?.detach();
  }
}

/** The way of rounds to and from a server, after what earlier clients have left was looked through. */
async function openRounds(
  { folders, offline }: PlayConfig,
  { name: server, isAway, isOffline }: FoundServer,
  client: SessionClient,
  { dispatch }: Player,
) {
  const unsentFolder = join(folders.data, 'unsent');
  await recordEndedRounds(unsentFolder, folders.data).catch(() => {}); // a full disk: the next start tries again
  const isSilent = isAway === true || isOffline === true;
  const findings = await handleUnsentRounds({ folder: unsentFolder, client, server, isSilent });
  const heldUp = findings.heldUp.at(-1);
  const own = { client, server, unsentFolder, offline, isAway, isOffline, heldUp };
  return { rounds: createRoundBroker({ ...own, onEvent: dispatch }), findings };
}

import type { EndOfPlay, SignalledEnding } from './ending.ts';
import { readClock } from './input/stall-watch.ts';
import type { FoundServer, PlayConfig } from './play-config.ts';
import { createPlayer, type Player } from './player.ts';
import { type Remainder, toRemainder } from './remainder.ts';
import { createBoard } from './screens/board.ts';
import { createOpeningStage } from './screens/opening-stage.ts';
import type { Stage } from './screens/stage.tsx';
import { createServerConnection } from './server-connection.ts';
import { listenToProcess } from './terminal/process-events.ts';
import type { Size } from './terminal/size.ts';
import type { Terminal } from './terminal/terminal.ts';

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
  const connection = createServerConnection(config, player);
  terminal.onResize(resize);

  return {
    player,
    openStage() {
      stage = openStage(terminal, config.depth, ending.fail);
      resize(terminal.size);
    },
    begin: connection.begin,
    async leave({ signal, keepUnfinished }) {
      terminal.leave();
      player.keep();
      player.close();
      const grace = signal === undefined ? leavingGrace : 0;
      const isOnDisk = await connection.leave({ grace, keepUnfinished });
      return toRemainder(player.app, { keepUnfinished }, isOnDisk);
    },
    restore,
    close() {
      player.close();
      connection.close();
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
    connection.detach();
  }
}

/** A stage that draws the first words, and loads the one for all screens behind them. */
function openStage(terminal: Terminal, depth: number, onError: EndOfPlay['fail']): Stage {
  const board = createBoard(terminal, depth);
  const load = async () => {
    const { createStage } = await import('./screens/stage.tsx');
    return createStage(terminal, { depth, onError }, board);
  };
  return createOpeningStage(board, { load, onError });
}

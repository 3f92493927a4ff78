import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ReadStream, WriteStream } from 'node:tty';
import { createHttpTransport } from '../contract/http-transport.ts';
import type { Transport } from '../contract/transport.ts';
import { type EffectContext, effects, type PlayerOptions } from './effects.ts';
import type { PlayServer, RoundsOptions } from './link/delivery.ts';
import { createRounds, type Rounds } from './link/rounds.ts';
import { createSessionApi } from './link/session.ts';
import { isUnderWay, nextTick, type RoundView } from './round/round-view.ts';
import type { RoundScore } from './round/scoring.ts';
import { createScreen } from './screen.ts';
import { pacerOf } from './state/pace.ts';
import { newState, type State } from './state/state.ts';
import { createKeyReader, type StampedKey } from './terminal/keys.ts';
import { openTerminal } from './terminal/terminal.ts';
import { type Event, update } from './update.ts';

/** The server to play with. */
export interface FoundServer extends Omit<PlayServer, 'api' | 'name'> {
  readonly url: URL;
  /** The player key to send; undefined: none. */
  readonly key: string | undefined;
}

export interface PlayConfig extends PlayerOptions, Pick<RoundsOptions, 'isChosen'> {
  readonly stdin: ReadStream & { readonly fd: number };
  readonly stdout: WriteStream & { readonly fd: number };
  /** Bits per colour that the terminal shows; 1 for none. */
  readonly depth: number;
  /** Finds the server; undefined if none is used. Rejects with one sentence, or if `ending` aborts. */
  readonly findServer: (ending: AbortSignal) => Promise<FoundServer | undefined>;
  /** The session API of this process, on the store of this computer. */
  readonly openLocal: () => Promise<LocalServer>;
}

export interface LocalServer {
  readonly call: Transport;
  close(): Promise<void>;
}

/** What became of the last round when the typist left. */
export type Remainder =
  /** Nothing was typed, or it is delivered. */
  | { readonly kind: 'nothing' }
  /** The next start can continue it. */
  | { readonly kind: 'kept'; readonly round: RoundView }
  /** The typist discarded it. */
  | { readonly kind: 'discarded' }
  /** It could not be written to disk. */
  | { readonly kind: 'lost' }
  /** It is finished, and waits for its server. */
  | { readonly kind: 'undelivered' }
  /** The disk took none of so many finished rounds. */
  | { readonly kind: 'unsaved'; readonly count: number };

export interface PlaySummary {
  /** The rounds that were finished, in order. */
  readonly scores: readonly RoundScore[];
  /** The signal that ended it; undefined if the typist left. */
  readonly signal: NodeJS.Signals | undefined;
  readonly remainder: Remainder;
}

interface Ending {
  /** Whether a round under way is kept for a later start. */
  readonly keepUnfinished: boolean;
  readonly signal: NodeJS.Signals | undefined;
}

/** How long pending requests may take when the typist leaves, ms. */
const leavingGrace = 1500;

/** A lone Esc looks like the start of a sequence until nothing has followed for this many ms. */
const escapeWait = 30;

/**
 * Takes over the terminal and plays until the typist leaves. The terminal is given back whatever happens;
 * errors are rethrown after that.
 */
export async function runPlay(config: PlayConfig): Promise<PlaySummary> {
  const { options, customText, greeting, profile, folders } = config;
  const ending = createEnding();
  const keys = createKeyReader();
  const scores: RoundScore[] = [];
  let state: State = { ...newState(options), customText, notice: greeting, profile };
  let rounds: Rounds | undefined;
  let clock: NodeJS.Timeout | undefined;
  let escapeTimer: NodeJS.Timeout | undefined;
  let isOver = false;
  let closeServer: (() => void) | undefined;

  const terminal = openTerminal(config.stdin, config.stdout, {
    onBytes(bytes, time, isLate) {
      clearTimeout(escapeTimer);
      press(keys.push(bytes, time), isLate);
      if (keys.isWaiting) escapeTimer = setTimeout(() => press(keys.flush(performance.now())), escapeWait);
    },
    onResize: (size) => dispatch({ type: 'resize', size: screen.resize(size) }),
    /** What was typed is kept for a later start. */
    onEnd: (signal) => ending.end({ keepUnfinished: true, signal }),
    onStop: suspend,
    onContinue() {
      terminal.enter();
      screen.repaint();
    },
    onError: ending.fail,
    onExit: restore,
  });
  const screen = createScreen({
    write: terminal.write,
    size: terminal.size,
    depth: config.depth,
    onError: ending.fail,
  });
  const context: EffectContext = {
    ...config,
    get state() {
      return state;
    },
    get rounds() {
      return rounds;
    },
    scores,
    dispatch,
    end: (how) => ending.end({ ...how, signal: undefined }),
    suspend,
    repaint: screen.repaint,
    bell: () => terminal.write('\x07'),
  };

  const search = new AbortController();
  const local = config.openLocal();
  const server = config.findServer(search.signal);
  try {
    terminal.enter();
    dispatch({ type: 'resize', size: screen.resize(terminal.size) });
    await Promise.race([begin(), ending.promise]);
    const { keepUnfinished, signal } = await ending.promise;
    isOver = true;
    clearTimeout(clock);
    // The terminal first: anyone who leaves may type on at once, and what they type is for the shell.
    await terminal.stopReading();
    terminal.leave();
    persist();
    const grace = signal === undefined ? leavingGrace : 0;
    const isOnDisk = (await rounds?.close(keepUnfinished, grace)) ?? false;
    const unsaved = rounds?.unsavedCount() ?? 0;
    return { scores, signal, remainder: remainderOf(state.round, keepUnfinished, isOnDisk, unsaved) };
  } finally {
    isOver = true;
    restore();
    search.abort();
    clearTimeout(clock);
    clearTimeout(escapeTimer);
    terminal.close();
    screen.close();
    await terminal.stopReading();
    closeServer?.();
    await Promise.allSettled([local.then(({ close }) => close()), server]);
  }

  async function begin(): Promise<void> {
    // Keys typed before the first words were not meant for them: they are read and dropped.
    const [{ call }, found] = await Promise.all([local, server, terminal.ready]);
    if (isOver) return;
    rounds = createRounds({
      folder: join(folders.data, 'unsent'),
      local: createSessionApi(call),
      server: found && connect(found),
      isChosen: config.isChosen,
      onEvent: dispatch,
    });
    dispatch({ type: 'start' });
    await rounds.flush();
  }

  function connect({ url, key, ...found }: FoundServer): PlayServer {
    const http = createHttpTransport(url, { token: key, timeout: 5000, deadline: 20_000, pauses: [0] });
    closeServer = http.close;
    const player = key && `#${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
    return { ...found, api: createSessionApi(http.call), name: url.href.replace(/\/$/, '') + (player ?? '') };
  }

  function press(all: readonly StampedKey[], isLate = false): void {
    batch(all.map((key) => ({ type: 'key', key: isLate ? { ...key, measured: false } : key })));
  }

  function dispatch(event: Event): void {
    batch([event]);
  }

  /** One turn: the events, then one drawing, then the disk, then everything else. */
  function batch(events: readonly Event[]): void {
    if (isOver) return;
    const wanted = events.flatMap((event) => {
      const reaction = update(state, event);
      state = reaction.state;
      return reaction.effects;
    });
    screen.draw(state);
    persist();
    for (const effect of wanted) effects[effect](context);
    setClock();
  }

  function persist(): void {
    if (state.round !== undefined) rounds?.persist(state.round);
  }

  /** Ticks while the screen changes by time alone. */
  function setClock(): void {
    clearTimeout(clock);
    const { round, options } = state;
    if (round === undefined || isOver) return;
    const hasPace = !options.reducedMotion && pacerOf(state) !== undefined;
    const wait = nextTick(round, performance.now(), hasPace);
    if (wait === undefined) return;
    clock = setTimeout(() => dispatch({ type: 'tick', time: performance.now() }), Math.ceil(wait));
  }

  function suspend(): void {
    if (process.platform === 'win32') return; // there are no stopped jobs
    dispatch({ type: 'pause', time: performance.now() });
    terminal.leave();
    terminal.stopThisJob();
  }

  /** The last cleanup, which works even during a crash; may be called again. */
  function restore(): void {
    terminal.leave();
    persist();
    rounds?.detach();
  }
}

/** @param isOnDisk whether the round is in the folder of undelivered ones, with every key */
export function remainderOf(
  round: RoundView | undefined,
  keepUnfinished: boolean,
  isOnDisk: boolean,
  unsaved = 0,
): Remainder {
  if (unsaved > 0) return { kind: 'unsaved', count: unsaved };
  if (round === undefined || round.inputCount === 0) return { kind: 'nothing' };
  if (!isUnderWay(round)) return { kind: isOnDisk ? 'undelivered' : 'nothing' };
  if (!keepUnfinished) return { kind: 'discarded' };
  return isOnDisk ? { kind: 'kept', round } : { kind: 'lost' };
}

/** The end of the program, which has several causes: the first one counts. */
function createEnding() {
  let end: (ending: Ending) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const promise = new Promise<Ending>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  promise.catch(() => {}); // awaited later; until then it is not an unhandled rejection
  return { promise, end, fail };
}

import type { HistoricalStatistics } from '../server/wire-types.ts';
import { isComplete, isUnderWay, type Run, restoreRun, toTiming } from './game/run.ts';
import { toBackOff } from './link/back-off.ts';
import { createDelivery, type Delivery, type DeliveryStatus, type Receipt } from './link/delivery.ts';
import { ServerProblem } from './link/server-problem.ts';
import type { SessionClient } from './link/session-client.ts';
import {
  type JournalHead,
  openRunJournal,
  type RunJournal,
  removeUnsent,
  type UnsentRun,
} from './record/run-journal.ts';

/** Brings rounds from the server and runs to it. Typing never waits for any of this. */
export interface Rounds {
  /** Gets a new round, however long it takes; the run before is given up unless it is complete. */
  begin(): Promise<void>;
  /** Takes up a run that was cut off earlier; it gets a journal of its own in place of the one left. */
  takeUp(left: UnsentRun): void;
  /** The inputs of the current run so far. */
  offer(run: Run): void;
  /** The current run is complete. Resolves when the server has it, or when it never will. */
  finish(run: Run): Promise<void>;
  /** Waits for what is on its way, at most `grace` ms, and leaves the rest on disk. */
  close(options: { readonly grace: number; readonly keepUnfinished: boolean }): Promise<void>;
  /** Leaves everything on disk at once: the process is about to end. */
  abandonShip(): void;
}

export interface RoundsListener {
  onWords(words: readonly string[]): void;
  /** There are no words yet, and why. */
  onWaiting(reason: string): void;
  onDelivery(status: DeliveryStatus): void;
  onReceipt(run: Run, receipt: Receipt): void;
  onHistory(history: HistoricalStatistics): void;
  /** The run cannot be kept on disk. */
  onJournalProblem(reason: string): void;
}

export interface RoundsOptions {
  readonly client: SessionClient;
  /** Address of the server, as it is noted in the journals. */
  readonly server: string;
  readonly punctuation: boolean;
  /** Folder for runs that are not delivered yet. */
  readonly unsentFolder: string;
  readonly listener: RoundsListener;
}

interface Current {
  readonly session: string;
  readonly delivery: Delivery;
  journal: RunJournal | undefined;
  /** The latest state of the run; undefined before the first key. */
  run: Run | undefined;
  /** Set when the run is complete: resolves when its delivery has come to an end. */
  ending: Promise<void> | undefined;
}

export function createRounds(options: RoundsOptions): Rounds {
  const { client, listener } = options;
  let session: string | undefined;
  let current: Current | undefined;
  let latestBegin = 0;
  let isClosed = false;

  return { begin, takeUp, offer, finish, close, abandonShip };

  async function begin(): Promise<void> {
    latestBegin += 1;
    const ticket = latestBegin;
    await endCurrent();
    for (let attempt = 1; ticket === latestBegin && !isClosed; attempt += 1) {
      try {
        session ??= await client.createSession(options.punctuation);
        const words = await client.startRound(session);
        if (ticket === latestBegin && !isClosed) start(session, words, []);
        listener.onHistory(await client.readHistory(session));
        return;
      } catch (problem) {
        if (ticket !== latestBegin || isClosed) return;
        if (current !== undefined) return; // only the history is missing
        await endure(problem, attempt);
      }
    }
  }

  /** A complete run has the way to the server first; one that was broken off is forgotten. */
  async function endCurrent(): Promise<void> {
    const before = current;
    if (before === undefined) return;
    if (before.ending !== undefined) await before.ending;
    else {
      before.delivery.stop();
      before.journal?.remove();
    }
    if (current === before) current = undefined;
  }

  async function endure(problem: unknown, attempt: number): Promise<void> {
    if (!(problem instanceof ServerProblem)) throw problem;
    if (problem.code === 'SESSION_NOT_FOUND') {
      session = undefined; // it expired, or the server began anew: the next attempt makes another one
      if (attempt === 1) return;
    }
    listener.onWaiting(problem.message);
    await new Promise((resolve) => setTimeout(resolve, toBackOff(attempt)));
  }

  function start(id: string, words: readonly string[], inputs: Run['inputs']): void {
    const delivery = createDelivery({ client, session: id, words, onStatus: listener.onDelivery });
    const head: JournalHead = {
      session: id,
      server: options.server,
      punctuation: options.punctuation,
      words,
      pid: process.pid,
      created: Date.now(),
    };
    current = { session: id, delivery, journal: undefined, run: undefined, ending: undefined };
    if (inputs.length === 0) listener.onWords(words);
    else delivery.offer(inputs);
    current.journal = openJournal(head, inputs); // last, for what is wrong with it is told on the screen of the round
  }

  function openJournal(head: JournalHead, inputs: Run['inputs']): RunJournal | undefined {
    try {
      return openRunJournal(options.unsentFolder, head, inputs);
    } catch (error) {
      listener.onJournalProblem((error as Error).message);
      return undefined;
    }
  }

  function takeUp(left: UnsentRun): void {
    const { head, inputs } = left;
    session = head.session;
    start(head.session, head.words, inputs);
    if (current === undefined) return;
    current.run = restoreRun(head.words, inputs);
    if (current.journal !== undefined) removeUnsent(left); // only now: a full disk must not take the one before
  }

  function offer(run: Run): void {
    if (current === undefined || run === current.run) return;
    current.run = run;
    try {
      current.journal?.append(run.inputs); // on disk before it is on the wire
    } catch (error) {
      listener.onJournalProblem((error as Error).message);
    }
    current.delivery.offer(run.inputs);
  }

  function finish(run: Run): Promise<void> {
    offer(run);
    const finished = current;
    if (finished === undefined) return Promise.resolve();
    finished.ending ??= finished.delivery.finish(toTiming(run)).then((receipt) => {
      if (receipt !== undefined) listener.onReceipt(run, receipt);
      if (receipt !== undefined || finished.delivery.status.lost !== '') finished.journal?.remove();
    });
    return finished.ending;
  }

  async function close({ grace, keepUnfinished }: { grace: number; keepUnfinished: boolean }): Promise<void> {
    isClosed = true;
    latestBegin += 1;
    const last = current;
    const isBroken = last?.run !== undefined && isUnderWay(last.run);
    if (last?.ending !== undefined) await withinGrace(last.ending, grace);
    const isKept = last !== undefined && ((isBroken && keepUnfinished) || isUndelivered(last));
    last?.delivery.stop();
    if (isKept) last.journal?.close();
    else last?.journal?.remove();
    if (!isKept && session !== undefined) await withinGrace(client.deleteSession(session), grace);
    await client.close();
  }

  function isUndelivered({ run, delivery }: Current): boolean {
    if (run === undefined || !isComplete(run)) return false;
    return delivery.status.lost === '' && !delivery.isDone;
  }

  function abandonShip(): void {
    isClosed = true;
    if (current?.run === undefined || current.delivery.isDone) current?.journal?.remove();
    else current.journal?.close();
  }
}

/** Resolves when `work` has ended, well or not, or after `ms`. */
async function withinGrace(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.then(noResult, noResult), late]);
  clearTimeout(timer);
}

function noResult(): void {}

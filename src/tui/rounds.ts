import type { AppEvent } from './app/app-events.ts';
import type { Catalog } from './link/catalog.ts';
import { createDelivery } from './link/delivery.ts';
import { createRoundSource, type NewRound } from './link/round-source.ts';
import type { SessionClient } from './link/session-client.ts';
import type { SessionSetup } from './link/session-setup.ts';
import {
  type JournalHead,
  openRoundJournal,
  type RoundJournal,
  removeUnsent,
  type UnsentRound,
} from './record/round-journal.ts';
import { noLimits } from './round/limits.ts';
import { usualPractised } from './round/practised.ts';
import { type Round, restoreRound } from './round/round.ts';
import { createRoundInHand, type RoundInHand } from './round-in-hand.ts';

/** Brings rounds from the server, and what was typed back to it. Typing never waits for any of this. */
export interface Rounds {
  /** Gets a new round, however long it takes; the round before is given up unless it is complete. */
  begin(setup: SessionSetup): Promise<void>;
  /** Takes up a round that was cut off earlier; it gets a journal of its own in place of the one left. */
  takeUp(left: UnsentRound): void;
  /** The inputs of the current round so far. */
  offer(round: Round): void;
  /** The current round is complete. */
  finish(round: Round): void;
  /** A limit has ended the current round: the server gets no more of it. One that is not recorded stays on disk. */
  endEarly(isRecorded: boolean): void;
  /** Waits for what is on its way, at most `grace` ms, and leaves the rest on disk. */
  close(options: { readonly grace: number; readonly keepUnfinished: boolean }): Promise<void>;
  /** Asks what the server offers. */
  readCatalog(): Promise<Catalog>;
  /** Leaves everything on disk at once: the process is about to end. */
  detach(): void;
}

export interface RoundsOptions {
  readonly client: SessionClient;
  /** Address of the server, as it is noted in the journals. */
  readonly server: string;
  /** Folder for rounds that are not delivered yet. */
  readonly unsentFolder: string;
  readonly onEvent: (event: AppEvent) => void;
}

export function createRounds(options: RoundsOptions): Rounds {
  const { client, server, onEvent } = options;
  const source = createRoundSource({
    client,
    onWaiting: (reason) => onEvent({ type: 'waiting', reason }),
  });
  let current: RoundInHand | undefined;
  let search = new AbortController();
  let isClosed = false;

  return {
    begin,
    takeUp(left) {
      const { head, inputs } = left;
      source.takeOver(head.session);
      const hasJournal = take(
        { ...head, practised: head.practised ?? usualPractised },
        inputs,
        head.punctuation,
      );
      if (hasJournal) removeUnsent(left); // only now: a full disk must not take the one before
    },
    offer: (round) => current?.offer(round),
    finish: (round) => void current?.finish(round),
    endEarly(isRecorded) {
      current?.endEarly(isRecorded);
      current = undefined;
    },
    readCatalog: () => client.readCatalog(),
    close,
    detach() {
      isClosed = true;
      search.abort();
      current?.detach();
    },
  };

  async function begin(setup: SessionSetup): Promise<void> {
    if (isClosed) return;
    search.abort();
    search = new AbortController();
    const { signal } = search;
    await endCurrent();
    const next = await source.next(setup, signal);
    if (next === undefined) return;
    const practised = { ...next.practised, limits: setup.limits ?? noLimits };
    take({ ...next, practised }, [], setup.punctuation);
    const history = await client.readHistory(next.session).catch(() => undefined); // without it a round is a round
    if (history !== undefined && !signal.aborted) onEvent({ type: 'history', history });
  }

  /** A complete round has the way to the server first; one that was broken off is forgotten. */
  async function endCurrent(): Promise<void> {
    const before = current;
    if (before === undefined) return;
    if (before.ending === undefined) before.drop();
    else await before.ending;
    if (current === before) current = undefined;
  }

  /** Gives back whether the round is kept on disk. */
  function take(round: NewRound, inputs: Round['inputs'], punctuation: boolean): boolean {
    const { session, words, rules, practised } = round;
    const delivery = createDelivery({
      client,
      session,
      words,
      onStatus: (status) => onEvent({ type: 'delivery', status }),
    });
    if (inputs.length === 0) onEvent({ type: 'words', words, rules, practised });
    const own = { server, punctuation, pid: process.pid, created: Date.now() };
    const head = { session, words, rules, practised, ...own };
    const journal = openJournal(head, inputs); // after the words, for what is wrong with it is told on their screen
    current = createRoundInHand({
      delivery,
      journal,
      round: inputs.length === 0 ? undefined : restoreRound(words, inputs, rules, practised),
      onReceipt: (round, receipt) => onEvent({ type: 'receipt', round, receipt }),
      onJournalProblem,
    });
    if (inputs.length > 0) delivery.offer(inputs);
    return journal !== undefined;
  }

  function openJournal(head: JournalHead, inputs: Round['inputs']): RoundJournal | undefined {
    try {
      return openRoundJournal(options.unsentFolder, head, inputs);
    } catch (error) {
      onJournalProblem((error as Error).message);
      return undefined;
    }
  }

  function onJournalProblem(reason: string): void {
    onEvent({ type: 'journal-problem', reason });
  }

  async function close({ grace, keepUnfinished }: { grace: number; keepUnfinished: boolean }): Promise<void> {
    isClosed = true;
    search.abort();
    const last = current;
    if (last?.ending !== undefined) await withinGrace(last.ending, grace);
    const isKept = last?.end({ keepUnfinished }) ?? false;
    const { session } = source;
    if (!isKept && session !== undefined) await withinGrace(client.deleteSession(session), grace);
    await client.close();
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

import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import { plural } from '../../kit/terminal-text.ts';
import { modeName } from '../../typing/modes/mode.ts';
import { wordText } from '../../typing/rules/word.ts';
import type { RoundStart } from '../round/round-setup.ts';
import {
  isDone,
  isUnderWay,
  newRoundView,
  type RoundView,
  restoredRound,
  type TypedInput,
  timingOf,
} from '../round/round-view.ts';
import { createLiveInput, type LiveInput } from './live-input.ts';
import { type Catalog, messageOf, ServerProblem, type SessionApi, type SessionSetup } from './session.ts';
import {
  openRoundFile,
  type RoundFile,
  type RoundHead,
  readInterruptedRounds,
  readUnsentRounds,
  removeRound,
  thisProcess,
  type UnsentRound,
} from './sync.ts';

/** The server to play with, besides the store of this computer. */
export interface PlayServer {
  readonly api: SessionApi;
  /** Its URL, with which its rounds are marked. */
  readonly name: string;
  /** Whether it can only be reached from this computer: then it may get custom texts, too. */
  readonly isLocal: boolean;
  /** No request is sent to it: rounds wait for a later start. */
  readonly isOffline: boolean;
  /** Why it does not answer at the start; empty if it does. */
  readonly away: string;
}

interface RoundsOptions {
  /** Folder of undelivered rounds. */
  readonly folder: string;
  readonly local: SessionApi;
  readonly server: PlayServer | undefined;
  readonly onEvent: (event: RoundsEvent) => void;
}

export type RoundsEvent =
  | { readonly type: 'round'; readonly round: RoundView; readonly notice: string }
  /** There are no words, and why. */
  | { readonly type: 'waiting'; readonly reason: string }
  | { readonly type: 'away'; readonly reason: string }
  | { readonly type: 'history'; readonly history: HistoricalStatistics }
  /** The round is saved, or why it is not. */
  | {
      readonly type: 'saved';
      readonly id: string;
      readonly history: HistoricalStatistics | undefined;
      readonly unsaved: string;
    }
  /** Why a key could not be written to disk. */
  | { readonly type: 'disk'; readonly problem: string }
  | { readonly type: 'notice'; readonly notice: string };

/** A round, before it is shown. */
interface CreatedRound {
  readonly head: RoundHead;
  /** Undefined if the round was not started on a server. */
  readonly live?: LiveInput;
  readonly notice: string;
}

/** The round in progress. */
interface ActiveRound extends CreatedRound {
  /** Undefined if the file could not be created. */
  readonly file: RoundFile | undefined;
  round: RoundView;
}

/** How long saving a round may delay the end of the program, ms. */
const savingGrace = 1000;

/** How long a server may take to send words before those of this computer are used, ms. */
const serverTimeout = 5000;

const offlineNotice = 'Offline: rounds are kept here, and delivered at a later start.';
const customTextNotice = 'Your own text stays on this computer, and so does this round.';

export type Rounds = ReturnType<typeof createRounds>;

/**
 * Provides new rounds, and stores and delivers what is typed. Typing never waits for any of this.
 *
 * A round is created on its server, or here while that is away, and typed onto the disk. A finished one is
 * added to the store of this computer, then to its server, as often as it takes: both know it by its id.
 */
export function createRounds({ folder, local, server, onEvent }: RoundsOptions) {
  const localSession = createCurrentSession(local);
  const serverSession = server && createCurrentSession(server.api);
  const left = readInterruptedRounds(folder).at(-1);
  const interrupted = left && restoredRound(left.head, left.inputs);
  /** Ids of the undelivered rounds that are in the store of this computer. */
  const saved = new Set<string>();
  /** Finished rounds that could not be written to disk. */
  let inMemory: UnsentRound[] = [];
  let active: ActiveRound | undefined;
  let away = server?.away ?? '';
  let generation = 0;
  let flushing: Promise<unknown> = Promise.resolve();
  let saving: Promise<unknown> = Promise.resolve();
  let finishing: Promise<void> = Promise.resolve();

  return {
    /** The latest round that an earlier run left unfinished and that no process types now. */
    interrupted,
    discardInterrupted: () => removeRound(left?.path ?? ''),
    resume(): void {
      if (left === undefined) return;
      activate({ head: { ...left.head, ...thisProcess() }, notice: '' }, interrupted, left.inputs);
    },
    begin,
    /** Types the same text again, as a separate round. */
    repeat({ words, practice: { rules, punctuation }, roundSetup }: RoundView): void {
      const start = { id: randomUUID(), words: words.map(wordText), rules, punctuation, roundSetup };
      activate({ head: headOf(start, active?.head.server ?? ''), notice: '' });
    },
    persist,
    /** The round is finished: saves it. Resolves when nothing more can be done now. */
    finish(round: RoundView): Promise<void> {
      finishing = finish(round);
      return finishing;
    },
    /** Discards the round, because a limit has ended it. */
    discard: () => void releaseActive(),
    /** Delivers the finished rounds of earlier runs. */
    flush: async () => report('', await flush()),
    catalog: (): Promise<Catalog> => onlineServer()?.api.catalog().catch(local.catalog) ?? local.catalog(),
    close,
    /** Closes files without waiting for anything: the process is about to end. */
    detach: () => void releaseActive(true),
  };

  /** Starts a new round; the previous one is abandoned unless it is finished. */
  async function begin(setup: SessionSetup): Promise<void> {
    const current = releaseActive();
    try {
      const created = await createRound(setup);
      if (current === generation) activate(created);
    } catch (problem) {
      if (current === generation) onEvent({ type: 'waiting', reason: messageOf(problem) });
    }
  }

  /**
   * Closes the active round; one that is not finished is abandoned, unless it is kept for a later start. A new
   * round that was requested before will not be shown any more.
   */
  function releaseActive(keepUnfinished = false): number {
    if (active !== undefined) {
      const { live, file, round } = active;
      const isFinished = isDone(round) && round.ended === undefined;
      if (isFinished || (keepUnfinished && isUnderWay(round))) file?.close();
      else file?.remove();
      if (!isFinished) live?.stop();
      active = undefined;
    }
    generation += 1;
    return generation;
  }

  function activate(
    created: CreatedRound,
    round = newRoundView(created.head),
    inputs?: readonly TypedInput[],
  ): void {
    releaseActive();
    onEvent({ type: 'round', round, notice: created.notice });
    // After the round is shown, because problems of the disk appear on its screen.
    const file = onDisk(() => openRoundFile(folder, created.head, inputs));
    active = { ...created, file, round };
    // Rounds that are being delivered count for bests and averages, too.
    void flushing.then(async () => {
      const history = await readHistory(round);
      if (history !== undefined && active?.round.id === round.id) onEvent({ type: 'history', history });
    });
  }

  function onDisk<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      onEvent({ type: 'disk', problem: messageOf(error) });
      return undefined;
    }
  }

  async function createRound(setup: SessionSetup): Promise<CreatedRound> {
    const here = async (name: string, notice: string): Promise<CreatedRound> => {
      const { start } = await localSession.startRound(setup);
      return { head: headOf(start, name), notice };
    };
    if (server === undefined || serverSession === undefined) return here('', '');
    if (setup.isCustomText && !server.isLocal) return here('', customTextNotice);
    const { api, name } = server;
    if (server.isOffline) return here(name, offlineNotice);
    if (away === '') {
      try {
        const { start, session } = await within(serverSession.startRound(setup), serverTimeout);
        return { head: headOf(start, name), live: createLiveInput(api, session), notice: '' };
      } catch (problem) {
        setAway(problem);
      }
    } else void reconnect();
    return here(name, `Offline: ${away}. Rounds are delivered when it answers.`);
  }

  /** The server, unless it is away or not to be used. */
  function onlineServer(): PlayServer | undefined {
    return server?.isOffline === false && away === '' ? server : undefined;
  }

  function setAway(problem: unknown): void {
    away = messageOf(problem) || 'no answer';
    onEvent({ type: 'away', reason: away });
  }

  /** Tries the server again; if it answers, it gets the rounds that it missed. */
  async function reconnect(): Promise<void> {
    if (server === undefined || server.isOffline) return;
    const isBack = await server.api.checkAccess().then(
      () => true,
      () => false,
    );
    if (!isBack || away === '') return;
    away = '';
    serverSession?.leave();
    onEvent({ type: 'away', reason: '' });
    report('The server is back.', await flush());
  }

  /** Writes the new inputs of the round to disk, and sends them. */
  function persist(round: RoundView): void {
    if (active === undefined || active.round === round || active.round.id !== round.id) return;
    active.round = round;
    const { file } = active;
    onDisk(() => file?.write(round));
    active.live?.offer(round);
  }

  async function finish(round: RoundView): Promise<void> {
    persist(round);
    if (active === undefined) return;
    const { head, file, live } = active;
    if (file?.written !== round.inputCount)
      inMemory.push({ path: '', head, inputs: round.log, timing: timingOf(round) });
    // This computer first: a server may be silent for a while.
    const locally = flush(false);
    saving = locally;
    const unsaved = (await locally).find((outcome) => outcome instanceof ServerProblem)?.message ?? '';
    onEvent({ type: 'saved', id: round.id, history: await readHistory(round), unsaved });
    if (head.server === '') return;
    await live?.finish(round);
    if (away === '') await flush();
    else await reconnect(); // it may have come back in the meantime
  }

  /** Delivers all finished rounds. Runs one after the other; several processes may do it at once. */
  function flush(withServer = true): Promise<Outcome[]> {
    const next = flushing.then(async () => {
      const outcomes: Outcome[] = [];
      for (const kept of [...readUnsentRounds(folder), ...inMemory])
        outcomes.push(await deliver(kept, withServer ? onlineServer() : undefined));
      return outcomes;
    });
    flushing = next.catch(() => {});
    return next;
  }

  async function deliver(
    { head, inputs, timing, path }: UnsentRound,
    there: PlayServer | undefined,
  ): Promise<Outcome> {
    if (timing === undefined) return 'unfinished';
    const handOver = (api: SessionApi) =>
      api.addRound(head, inputs, timing).catch((problem: ServerProblem) => problem);
    const problem = saved.has(head.id) ? undefined : await handOver(local);
    if (problem !== undefined) {
      // Kept for inspection: no rule refuses what this program writes.
      if (isRefused(problem) && path !== '') renameSync(path, `${path}.refused`);
      return problem;
    }
    saved.add(head.id);
    if (head.server !== '' && head.server !== there?.name) return 'waiting';
    const refusal = there && head.server !== '' ? await handOver(there.api) : undefined;
    // A round that a server refuses for good stays here, and does not wait for it.
    if (refusal !== undefined && !isRefused(refusal)) {
      setAway(refusal);
      return 'waiting';
    }
    removeRound(path);
    inMemory = inMemory.filter((each) => each.head.id !== head.id);
    return head.server !== '' && refusal === undefined ? 'delivered' : 'done';
  }

  function report(before: string, outcomes: readonly Outcome[]): void {
    const rounds = (kind: Outcome) => {
      const count = outcomes.filter((outcome) => outcome === kind).length;
      return count === 0 ? '' : plural(count, 'earlier round');
    };
    const [delivered, waiting] = [rounds('delivered'), rounds('waiting')];
    const news = [
      ...(delivered === '' ? [] : [`${delivered} delivered to the server.`]),
      ...(waiting === '' ? [] : [`${waiting} not delivered yet.`]),
    ];
    if (news.length > 0) onEvent({ type: 'notice', notice: [before, ...news].join(' ').trim() });
  }

  /** Undefined if it cannot be read; a round can be typed without it. */
  async function readHistory({ practice, roundSetup }: RoundView): Promise<HistoricalStatistics | undefined> {
    const { language, layout } = roundSetup;
    try {
      const session = await localSession.open(); // any session can answer for every mode
      return await local.history(session, { mode: modeName(practice.mode), language, layout });
    } catch {
      return undefined;
    }
  }

  /**
   * Call when the program ends. Resolves to whether the round is on disk, with every key.
   *
   * @param keepUnfinished whether a round under way is kept for a later start
   * @param grace ms that pending requests may take
   */
  async function close(keepUnfinished: boolean, grace: number): Promise<boolean> {
    const last = active?.round;
    await within(saving, savingGrace).catch(() => {});
    if (grace > 0) await within(finishing, grace).catch(() => {});
    releaseActive(keepUnfinished);
    const there = onlineServer();
    if (grace > 0 && there !== undefined && serverSession?.id !== undefined)
      await within(there.api.deleteSession(serverSession.id), grace).catch(() => {});
    return readUnsentRounds(folder).some(
      ({ head, inputs }) => head.id === last?.id && inputs.length === last.inputCount,
    );
  }
}

/** What became of a round; a problem if this computer cannot save it. */
type Outcome = 'unfinished' | 'waiting' | 'delivered' | 'done' | ServerProblem;

/** @param server by its URL; empty: the round stays here */
function headOf(start: RoundStart, server: string): RoundHead {
  return { ...start, server, ...thisProcess(), created: Date.now() };
}

function isRefused({ code }: ServerProblem): boolean {
  return code === 'INVALID_REQUEST';
}

/** The session of new rounds: one for all rounds with the same setup. */
function createCurrentSession(api: SessionApi) {
  let id: string | undefined;
  let practice: string | undefined;
  const leave = () => {
    id = undefined;
  };
  /** @param setup default: that of any session */
  async function open(setup?: SessionSetup): Promise<string> {
    const wanted = JSON.stringify(setup);
    if (id !== undefined && (wanted === undefined || wanted === practice)) return id;
    if (id !== undefined) api.deleteSession(id).catch(() => {}); // nobody needs it any more
    leave();
    const created = await api.createSession(setup);
    id = created;
    practice = wanted;
    return created;
  }
  return {
    get id() {
      return id;
    },
    open,
    async startRound(setup: SessionSetup) {
      const session = await open(setup);
      try {
        return { session, start: await api.startRound(session, setup) };
      } catch (problem) {
        leave(); // it may have expired: the next round gets another one
        throw problem;
      }
    },
    leave,
  };
}

/** The result of `work`; rejects if it takes longer than `ms`. */
function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then(() => {
    throw new ServerProblem('away', 'no answer in time');
  });
  return Promise.race([work, late]);
}

import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import { plural } from '../../kit/terminal-text.ts';
import { modeName } from '../../typing/modes/mode.ts';
import { wordText } from '../../typing/rules/word.ts';
import type { RoundStart } from '../round/round-setup.ts';
import { isDone, isUnderWay, newRoundView, type RoundView, timingOf } from '../round/round-view.ts';
import { type Catalog, messageOf, ServerProblem } from './answers.ts';
import { createLiveInput, type LiveInput } from './live-input.ts';
import type { SessionApi, SessionSetup } from './session.ts';
import {
  openRoundFile,
  type RoundFile,
  type RoundHead,
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
}

export interface RoundsOptions {
  /** Folder of undelivered rounds. */
  readonly folder: string;
  readonly local: SessionApi;
  readonly server: PlayServer | undefined;
  /** Why the server does not answer at the start; empty if it does. */
  readonly away: string;
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

/** A new round, before it is shown. */
interface CreatedRound {
  readonly start: RoundStart;
  /** The server that it is for; empty: it stays here. */
  readonly name: string;
  /** Undefined if the round was not started on a server. */
  readonly live: LiveInput | undefined;
  readonly notice: string;
}

/** The round in progress. */
interface ActiveRound {
  readonly head: RoundHead;
  /** Undefined if the file could not be created. */
  readonly file: RoundFile | undefined;
  readonly live: LiveInput | undefined;
  round: RoundView;
}

/** How long saving a round may delay the end of the program, ms. */
const savingGrace = 1000;

/** How long a server may take to send words before those of this computer are used, ms. */
const serverTimeout = 5000;

const offlineNotice = 'Offline: rounds are kept here, and delivered at a later start.';
const customTextNotice = 'Your own text stays on this computer, and so does this round.';

export type Rounds = ReturnType<typeof createRounds>;

/** Provides new rounds, and stores and delivers what is typed. Typing never waits for any of this. */
export function createRounds({ folder, local, server, away: awayAtStart, onEvent }: RoundsOptions) {
  const localSession = createCurrentSession(local);
  const serverSession = server && createCurrentSession(server.api);
  /** Ids of the undelivered rounds that are in the store of this computer. */
  const saved = new Set<string>();
  /** Finished rounds that could not be written to disk. */
  let inMemory: UnsentRound[] = [];
  let active: ActiveRound | undefined;
  let away = awayAtStart;
  let generation = 0;
  let isClosed = false;
  let flushing: Promise<unknown> = Promise.resolve();
  let saving: Promise<unknown> = Promise.resolve();
  let finishing: Promise<void> = Promise.resolve();

  return {
    begin,
    /** Continues a round of an earlier run. */
    resume(unsent: UnsentRound, round: RoundView): void {
      generation += 1;
      const head = { ...unsent.head, ...thisProcess() };
      active = { head, file: openFile(head, unsent.inputs), live: undefined, round };
    },
    /** Types the same text again, as a separate round. */
    repeat({ words, practice: { rules, punctuation }, roundSetup }: RoundView): void {
      generation += 1;
      const name = active?.head.server ?? '';
      releaseActive();
      const start = { id: randomUUID(), words: words.map(wordText), rules, punctuation, roundSetup };
      activate({ start, name, live: undefined, notice: '' });
    },
    persist,
    /** The round is finished: saves it. Resolves when nothing more can be done now. */
    finish(round: RoundView): Promise<void> {
      finishing = finish(round);
      return finishing;
    },
    /** Discards the round, because a limit has ended it. */
    discard: () => releaseActive(),
    /** Delivers the finished rounds of earlier runs. */
    flush: async () => report('', await flush()),
    catalog: (): Promise<Catalog> => onlineServer()?.api.catalog().catch(local.catalog) ?? local.catalog(),
    close,
    /** Closes files without waiting for anything: the process is about to end. */
    detach(): void {
      isClosed = true;
      generation += 1;
      releaseActive(true);
    },
  };

  /** Starts a new round; the previous one is abandoned unless it is finished. */
  async function begin(setup: SessionSetup): Promise<void> {
    generation += 1;
    const current = generation;
    releaseActive();
    try {
      const created = await createRound(setup);
      if (current === generation) activate(created);
    } catch (problem) {
      if (current === generation) onEvent({ type: 'waiting', reason: messageOf(problem) });
    }
  }

  /** Closes the active round; one that is not finished is abandoned, unless it is kept for a later start. */
  function releaseActive(keepUnfinished = false): void {
    if (active === undefined) return;
    const { live, file, round } = active;
    const isFinished = isDone(round) && round.ended === undefined;
    if (isFinished || (keepUnfinished && isUnderWay(round))) file?.close();
    else file?.remove();
    if (!isFinished) live?.stop();
    active = undefined;
  }

  function activate({ start, name, live, notice }: CreatedRound): void {
    const round = newRoundView(start);
    onEvent({ type: 'round', round, notice });
    // After the round is shown, because problems of the disk appear on its screen.
    const head = { ...start, server: name, ...thisProcess(), created: Date.now() };
    active = { head, file: openFile(head), live, round };
    // Rounds that are being delivered count for bests and averages, too.
    void flushing.then(async () => {
      const history = await readHistory(round);
      if (history !== undefined && active?.round.id === round.id) onEvent({ type: 'history', history });
    });
  }

  function openFile(head: RoundHead, inputs?: UnsentRound['inputs']): RoundFile | undefined {
    try {
      return openRoundFile(folder, head, inputs);
    } catch (error) {
      onEvent({ type: 'disk', problem: messageOf(error) });
      return undefined;
    }
  }

  async function createRound(setup: SessionSetup): Promise<CreatedRound> {
    const here = async (name: string, notice: string): Promise<CreatedRound> => {
      const session = await localSession.open(setup);
      return { start: await local.startRound(session, setup), name, live: undefined, notice };
    };
    if (server === undefined) return here('', '');
    if (setup.isCustomText && !server.isLocal) return here('', customTextNotice);
    if (server.isOffline) return here(server.name, offlineNotice);
    if (away === '') {
      try {
        return await within(createOnServer(setup, server), serverTimeout);
      } catch (problem) {
        setAway(problem);
      }
    } else void reconnect();
    return here(server.name, `Offline: ${away}. Rounds are delivered when it answers.`);
  }

  async function createOnServer(setup: SessionSetup, { api, name }: PlayServer): Promise<CreatedRound> {
    const session = (await serverSession?.open(setup)) ?? '';
    const start = await api.startRound(session, setup).catch((problem: unknown) => {
      serverSession?.leave(); // it may have expired: the next round gets another one
      throw problem;
    });
    return { start, name, live: createLiveInput(api, session), notice: '' };
  }

  /** The server, unless it is away or not to be used. */
  function onlineServer(): PlayServer | undefined {
    return server?.isOffline === false && away === '' ? server : undefined;
  }

  function setAway(problem: unknown): void {
    away = messageOf(problem) || 'no answer';
    if (!isClosed) onEvent({ type: 'away', reason: away });
  }

  /** Tries the server again; if it answers, it gets the rounds that it missed. */
  async function reconnect(): Promise<void> {
    if (server === undefined || server.isOffline) return;
    try {
      await server.api.checkAccess();
    } catch {
      return;
    }
    if (isClosed || away === '') return;
    away = '';
    serverSession?.leave();
    onEvent({ type: 'away', reason: '' });
    report('The server is back.', await flush());
  }

  /** Writes the new inputs of the round to disk, and sends them. */
  function persist(round: RoundView): void {
    if (active === undefined || active.round === round || active.round.id !== round.id) return;
    active.round = round;
    try {
      active.file?.write(round);
    } catch (error) {
      onEvent({ type: 'disk', problem: messageOf(error) });
    }
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
    const { unsaved } = await locally;
    const history = await readHistory(round);
    if (!isClosed) onEvent({ type: 'saved', id: round.id, history, unsaved });
    if (server === undefined || head.server === '') return;
    await live?.finish(round);
    if (away === '') await flush();
    else await reconnect(); // it may have come back in the meantime
  }

  /** Delivers all finished rounds. Runs one after the other; several processes may do it at once. */
  function flush(withServer = true): Promise<Delivery> {
    const next = flushing.then(async () => {
      const delivery = { delivered: 0, waiting: 0, unsaved: '' };
      for (const kept of [...readUnsentRounds(folder), ...inMemory]) {
        const outcome = await deliver(kept, withServer ? onlineServer() : undefined);
        if (outcome === 'delivered' || outcome === 'waiting') delivery[outcome] += 1;
        else if (outcome instanceof ServerProblem) delivery.unsaved = outcome.message;
      }
      return delivery;
    });
    flushing = next.catch(() => {});
    return next;
  }

  /** Resolves to the outcome, or to the problem if this computer cannot save the round. */
  async function deliver({ head, inputs, timing, path }: UnsentRound, there: PlayServer | undefined) {
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

  function report(before: string, { delivered, waiting }: Delivery): void {
    const news = [
      ...(delivered > 0 ? [`${plural(delivered, 'earlier round')} delivered to the server.`] : []),
      ...(waiting > 0 ? [`${plural(waiting, 'earlier round')} not delivered yet.`] : []),
    ];
    const notice = [before, ...news].filter((part) => part !== '').join(' ');
    if (news.length > 0 && !isClosed) onEvent({ type: 'notice', notice });
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
    generation += 1;
    const last = active?.round;
    await within(saving, savingGrace).catch(() => {});
    if (grace > 0) await within(finishing, grace).catch(() => {});
    isClosed = true;
    releaseActive(keepUnfinished);
    const there = onlineServer();
    if (grace > 0 && there !== undefined && serverSession?.id !== undefined)
      await within(there.api.deleteSession(serverSession.id), grace).catch(() => {});
    return readUnsentRounds(folder).some(
      ({ head, inputs }) => head.id === last?.id && inputs.length === last.inputCount,
    );
  }
}

/** The result of delivering the finished rounds. */
interface Delivery {
  /** Rounds that the server has now, and rounds that still wait. */
  readonly delivered: number;
  readonly waiting: number;
  /** Why a round could not be saved on this computer; empty if all could. */
  readonly unsaved: string;
}

function isRefused({ code }: ServerProblem): boolean {
  return code === 'INVALID_REQUEST';
}

/** The session of new rounds: one for all rounds with the same setup. */
function createCurrentSession(api: SessionApi) {
  let id: string | undefined;
  let practice: string | undefined;
  return {
    get id() {
      return id;
    },
    /** @param setup default: that of any session */
    async open(setup?: SessionSetup): Promise<string> {
      const wanted = JSON.stringify(setup);
      if (id !== undefined && (wanted === undefined || wanted === practice)) return id;
      if (id !== undefined) api.deleteSession(id).catch(() => {}); // nobody needs it any more
      id = undefined;
      const created = await api.createSession(setup);
      id = created;
      practice = wanted;
      return created;
    },
    leave() {
      id = undefined;
    },
  };
}

/** The result of `work`; rejects if it takes longer than `ms`. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new ServerProblem('away', 'no answer in time');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    for (const loser of [work, late]) loser.catch(() => {});
  }
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import { modeName } from '../../typing/modes/mode.ts';
import { wordText } from '../../typing/rules/word.ts';
import { isUnderWay, newRoundView, type RoundStart, type RoundView } from '../round/round-view.ts';
import { type Catalog, messageOf, type ParsedRound, ServerProblem } from './answers.ts';
import { createLiveInput, type LiveInput } from './live-input.ts';
import { type SessionApi, type SessionSetup, sessionRequest } from './session.ts';
import {
  type Flushed,
  flush,
  openRoundFile,
  type RoundFile,
  type RoundHead,
  readUnsentRounds,
  thisProcess,
  type UnsentRound,
  unsentRound,
} from './sync.ts';

/** The server to play with, besides the store of this computer. */
export interface PlayServer {
  readonly api: SessionApi;
  /** What rounds for it are marked with: its URL. */
  readonly name: string;
  /** Whether it can only be reached from this computer: then it may get custom texts, too. */
  readonly isLocal: boolean;
  /** It is not to be asked: rounds wait for a later start. */
  readonly isOffline: boolean;
}

export interface RoundsOptions {
  /** Folder of rounds on their way. */
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
  /** Every key is on disk again, or why it is not. */
  | { readonly type: 'disk'; readonly problem: string }
  | { readonly type: 'notice'; readonly notice: string };

interface RoundsEnding {
  /** Whether a round under way is kept for a later start. */
  readonly keepUnfinished: boolean;
  /** Ms that what is on its way may take. */
  readonly grace: number;
}

/** The round in progress. */
interface ActiveRound {
  readonly setup: SessionSetup | undefined;
  readonly head: RoundHead;
  /** Undefined if the file could not be created. */
  file: RoundFile | undefined;
  /** Undefined if no server has begun the round. */
  readonly live: LiveInput | undefined;
  round: RoundView;
}

/** How long this computer may take to save a round when the program ends, ms. */
const savingGrace = 1000;

/** How long a server may take to send words before those of this computer are used, ms. */
const serverTimeout = 5000;

export type Rounds = ReturnType<typeof createRounds>;

/** Provides new rounds, and stores and delivers what is typed. Typing never waits for any of this. */
export function createRounds({ folder, local, server, away: awayAtStart, onEvent }: RoundsOptions) {
  const localSession = createCurrentSession(local);
  const serverSession = server === undefined ? undefined : createCurrentSession(server.api);
  const saved = new Set<string>();
  let inMemory: UnsentRound[] = [];
  let active: ActiveRound | undefined;
  let away = awayAtStart;
  let search = 0;
  let isClosed = false;
  let flushing: Promise<unknown> = Promise.resolve();
  let savingLocally: Promise<unknown> = Promise.resolve();
  let finishing: Promise<unknown> = Promise.resolve();

  return {
    begin,
    /** Continues a round of an earlier run. */
    resume(unsent: UnsentRound, round: RoundView): void {
      search += 1;
      const head = { ...unsent.head, ...thisProcess() };
      active = { setup: undefined, head, file: openFile(head, unsent.inputs), live: undefined, round };
    },
    /** Types the same text again, as a round of its own. */
    repeat(round: RoundView): void {
      search += 1;
      const { setup } = active ?? {};
      releaseActive();
      const isHere = setup === undefined || (setup.isCustomText && server?.isLocal !== true);
      const { practice, roundSetup } = round;
      const { rules, punctuation } = practice;
      const words = round.words.map(wordText);
      const start = { id: randomUUID(), words, rules, punctuation, roundSetup };
      activate(setup, { start, name: isHere ? '' : (server?.name ?? ''), live: undefined, notice: '' });
    },
    persist,
    /** The round is finished: saves it. Resolves when nothing more can be done now. */
    finish(round: RoundView): Promise<void> {
      const done = finish(round);
      finishing = done;
      return done;
    },
    /** Discards the round, because a limit has ended it. */
    discard(): void {
      if (active !== undefined) abandon(active);
      active = undefined;
    },
    /** Delivers the finished rounds of earlier runs. */
    flush: () => flushNow(),
    catalog: (): Promise<Catalog> => onlineServer()?.api.catalog().catch(local.catalog) ?? local.catalog(),
    close,
    /** Leaves everything on disk at once: the process is about to end. */
    detach(): void {
      isClosed = true;
      search += 1;
      active?.live?.stop();
      if (active?.round.inputCount === 0) active.file?.remove();
      else active?.file?.close();
    },
  };

  /** Starts a new round; the previous one is abandoned unless it is finished. */
  async function begin(setup: SessionSetup): Promise<void> {
    search += 1;
    const mine = search;
    releaseActive();
    try {
      const created = await createRound(setup);
      if (mine !== search || isClosed) return;
      activate(setup, created);
    } catch (problem) {
      if (mine === search && !isClosed) onEvent({ type: 'waiting', reason: messageOf(problem) });
    }
  }

  function abandon({ live, file }: ActiveRound): void {
    live?.stop();
    file?.remove();
  }

  /** Closes the active round; one that is not finished is abandoned. */
  function releaseActive(): void {
    if (active === undefined) return;
    if (isFinished(active.round)) active.file?.close();
    else abandon(active);
    active = undefined;
  }

  function activate(setup: SessionSetup | undefined, { start, name, live, notice }: CreatedRound): void {
    const round = newRoundView(start);
    onEvent({ type: 'round', round, notice });
    // After the round is shown, because problems of the disk appear on its screen.
    const head = { ...start, server: name, ...thisProcess(), created: Date.now() };
    active = { setup, head, file: openFile(head), live, round };
    // Rounds that are being delivered count for bests and averages, too.
    void flushing.then(async () => {
      const history = await readHistory(setup, round, name !== '');
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
    if (server === undefined) return createLocally(setup, '', '');
    if (setup.isCustomText && !server.isLocal) return createLocally(setup, '', customTextNotice);
    if (server.isOffline) return createLocally(setup, server.name, offlineNotice);
    if (away !== '') {
      void reconnect();
      return createLocally(setup, server.name, awayNotice(server.name, away));
    }
    try {
      return await within(createOnServer(setup, server), serverTimeout);
    } catch (problem) {
      setAway(problem);
      return createLocally(setup, server.name, awayNotice(server.name, messageOf(problem)));
    }
  }

  async function createOnServer(setup: SessionSetup, { api, name }: PlayServer): Promise<CreatedRound> {
    const session = await serverSession?.open(setup);
    if (session === undefined) throw new ServerProblem('away', 'there is no session');
    const parsed = await api.startRound(session).catch((problem: ServerProblem) => {
      serverSession?.leave(); // it may have expired: the next round gets another one
      throw problem;
    });
    const live = parsed.id === '' ? undefined : createLiveInput(api, session);
    return { start: startOf(parsed, setup), name, live, notice: '' };
  }

  async function createLocally(setup: SessionSetup, name: string, notice: string): Promise<CreatedRound> {
    const parsed = await local.startRound(await localSession.open(setup));
    return { start: startOf(parsed, setup), name, live: undefined, notice };
  }

  /** The server, while it may be asked and answers. */
  function onlineServer(): PlayServer | undefined {
    return server?.isOffline === false && away === '' ? server : undefined;
  }

  function setAway(problem: unknown): void {
    away = messageOf(problem) || 'no answer';
    if (!isClosed) onEvent({ type: 'away', reason: away });
  }

  /** Whether the server answers again: then it gets what it has missed. */
  async function reconnect(): Promise<void> {
    if (server === undefined) return;
    try {
      await server.api.checkAccess();
    } catch {
      return;
    }
    if (isClosed || away === '') return;
    away = '';
    serverSession?.leave();
    onEvent({ type: 'away', reason: '' });
    const { delivered } = await flushNow();
    if (delivered > 0 && !isClosed) onEvent({ type: 'notice', notice: backNotice(delivered) });
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
    const done = active;
    if (done === undefined) return;
    if (done.file?.written !== round.inputCount) inMemory.push(unsentRound(done.head, round));
    // This computer first: a server may be silent for a while.
    const saving = flushNow(false);
    savingLocally = saving;
    reportSaved(round, await saving, await readHistory(done.setup, round, false));
    if (server === undefined || done.head.server === '') return;
    await done.live?.finish(round);
    if (away !== '' && !server.isOffline) await reconnect(); // it may have come back in the meantime
    const flushed = await flushNow();
    if (onlineServer() !== undefined) reportSaved(round, flushed, await readHistory(done.setup, round, true));
  }

  function reportSaved(
    { id }: RoundView,
    { unsaved: problem }: Flushed,
    history?: HistoricalStatistics,
  ): void {
    const isLost = inMemory.some(({ head }) => head.id === id && !saved.has(id));
    const unsaved = problem === '' && isLost ? 'writing to the disk failed' : problem;
    if (!isClosed) onEvent({ type: 'saved', id, history, unsaved });
  }

  /** Runs one after the other, so that no round is delivered by two at once. */
  function flushNow(withServer = true): Promise<Flushed> {
    const next = flushing.then(async () => {
      const there = withServer ? onlineServer() : undefined;
      const flushed = await flush({ folder, local, server: there, saved, inMemory });
      inMemory = inMemory.filter(({ head }) => !flushed.done.includes(head.id));
      if (flushed.away !== '') setAway(new ServerProblem('away', flushed.away));
      return flushed;
    });
    flushing = next.catch(() => {});
    return next;
  }

  /** Undefined if nobody can say; a round can be typed without it. */
  async function readHistory(
    setup: SessionSetup | undefined,
    { practice, roundSetup: { language, layout } }: RoundView,
    fromServer: boolean,
  ): Promise<HistoricalStatistics | undefined> {
    const api = fromServer ? onlineServer()?.api : undefined;
    const session = api === undefined ? localSession : serverSession;
    try {
      const id = (await session?.open(setup)) ?? ''; // any session can be asked about every mode
      return await (api ?? local).history(id, { mode: modeName(practice.mode), language, layout });
    } catch {
      return undefined;
    }
  }

  /** Ends with the program. Resolves to whether all keys of the round are on disk for a later start. */
  async function close({ keepUnfinished, grace }: RoundsEnding): Promise<boolean> {
    search += 1;
    const last = active;
    await within(savingLocally, savingGrace).catch(() => {});
    if (grace > 0) await within(finishing, grace).catch(() => {});
    isClosed = true;
    last?.live?.stop();
    const isLeft = last !== undefined && isUnderWay(last.round);
    const isOnDisk = last?.file !== undefined && last.file.written === last.round.inputCount;
    if (isLeft && keepUnfinished) last.file?.close();
    else if (last !== undefined && !isFinished(last.round)) last.file?.remove();
    else last?.file?.close();
    const session = serverSession?.id;
    const there = onlineServer();
    if (grace > 0 && there !== undefined && session !== undefined)
      await within(there.api.deleteSession(session), grace).catch(() => {});
    if (isLeft) return isOnDisk && keepUnfinished;
    return last !== undefined && readUnsentRounds(folder).some(({ head }) => head.id === last.round.id);
  }
}

/** A new round, before it is shown. */
interface CreatedRound {
  readonly start: RoundStart;
  /** The server that it is for; empty: it stays here. */
  readonly name: string;
  readonly live: LiveInput | undefined;
  readonly notice: string;
}

function startOf(parsed: ParsedRound, { limits, punctuation }: SessionSetup): RoundStart {
  return {
    ...parsed,
    id: parsed.id || randomUUID(),
    punctuation,
    roundSetup: { ...parsed.roundSetup, limits }, // which the server does not know
  };
}

function isFinished(round: RoundView): boolean {
  return round.inputCount > 0 && !isUnderWay(round) && round.ended === undefined;
}

const offlineNotice = 'Offline: rounds are kept here, and delivered at a later start.';
const customTextNotice = 'Your own text stays on this computer, and so does this round.';

function awayNotice(name: string, reason: string): string {
  const host = URL.canParse(name) ? new URL(name).host : name;
  const why = reason.startsWith('no answer') ? `no answer from ${host}` : reason;
  return `Offline: ${why}. Rounds are delivered when it answers.`;
}

function backNotice(delivered: number): string {
  const which = delivered === 1 ? 'an earlier round was' : `${delivered} earlier rounds were`;
  return `The server is back: ${which} delivered.`;
}

/** The session that new rounds are of: one for all that practise the same. */
function createCurrentSession(api: SessionApi) {
  let id: string | undefined;
  let practice: string | undefined;
  return {
    get id() {
      return id;
    },
    async open(setup: SessionSetup | undefined): Promise<string> {
      const wanted = JSON.stringify(setup && sessionRequest(setup));
      if (id !== undefined && wanted === practice) return id;
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

/** What becomes of `work`; rejects if that takes longer than `ms`. */
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

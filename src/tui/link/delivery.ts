import { existsSync, renameSync } from 'node:fs';
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import { plural } from '../../kit/terminal-text.ts';
import type { RoundView } from '../round/round-view.ts';
import { messageOf, ServerProblem, type SessionApi } from './session.ts';
import { readUnsentRounds, removeRound, type UnsentRound } from './unsent-rounds.ts';

/** The server to play with, besides the store of this computer. */
export interface PlayServer {
  readonly api: SessionApi;
  /** Its URL and, with a key, the player: its rounds are marked with it, and nobody else gets them. */
  readonly name: string;
  /** Whether the typist has named it, and only this computer reaches it: then it may get custom texts, too. */
  readonly isLocal: boolean;
  /** No request is sent to it: rounds wait for a later start. */
  readonly isOffline: boolean;
  /** Why it does not answer at the start; empty if it does. */
  readonly away: string;
}

export interface RoundsOptions {
  /** Folder of undelivered rounds. */
  readonly folder: string;
  readonly local: SessionApi;
  readonly server: PlayServer | undefined;
  /** Whether the command line says what to type: then the only round to continue is one of that. */
  readonly isChosen: boolean;
  readonly onEvent: (event: RoundsEvent) => void;
}

export type RoundsEvent =
  /** A round to type. */
  | { readonly type: 'round'; readonly round: RoundView; readonly notice: string }
  /** The round is saved, or why it is not. */
  | {
      readonly type: 'saved';
      readonly id: string;
      readonly history: HistoricalStatistics | undefined;
      readonly unsaved: string;
    }
  | { readonly type: 'notice'; readonly notice: string }
  | { readonly type: 'loaded'; readonly change: Partial<LinkState> };

interface LinkState {
  /** Why the server does not answer; empty while it does, and if none is used. */
  readonly away: string;
  /** Why there are no words yet; empty while nothing is wrong. */
  readonly waiting: string;
  /** The latest statistics over all rounds of the kind. */
  readonly history: HistoricalStatistics;
}

/**
 * Adds finished rounds to the store of this computer, then to the server that they were typed for, as often
 * as it takes: both know a round by its id. Several processes may do it at once.
 */
export function createDelivery({ folder, local, server, onEvent }: RoundsOptions) {
  /** Ids of the undelivered rounds that are in the store of this computer. */
  const saved = new Set<string>();
  /** Finished rounds that could not be written to disk. */
  let inMemory: UnsentRound[] = [];
  let away = server?.isOffline ? '--offline was given' : (server?.away ?? '');
  let saving: Promise<unknown> = Promise.resolve();
  let sending: Promise<unknown> = Promise.resolve();

  return {
    /** Why the server does not answer; empty if it does. */
    get away(): string {
      return away;
    },
    /** Resolves when no round is being saved on this computer. */
    get saving(): Promise<unknown> {
      return saving;
    },
    setAway,
    /** Rejects for the id of an earlier round: only one of the two would be kept. */
    async requireNew({ id }: { readonly id: string }): Promise<void> {
      const isWaiting = [...readUnsentRounds(folder), ...inMemory].some(({ head }) => head.id === id);
      if (isWaiting || (await local.hasRound(id)))
        throw new ServerProblem('refused', 'it began an earlier round again');
    },
    /** For a finished round that its file does not have, or only in part. */
    keepInMemory: (round: UnsentRound) => void inMemory.push(round),
    /** Rounds kept in memory that the store of this computer has not taken. */
    unsavedCount: () => inMemory.filter(({ head }) => !saved.has(head.id)).length,
    /** Saves the finished rounds on this computer. Resolves to why some could not be saved, by their ids. */
    save(): Promise<ReadonlyMap<string, string>> {
      const work = saving.then(saveAll);
      saving = work.catch(() => {});
      return work;
    },
    /** Uploads the saved rounds, if the server can be reached. */
    send(isStart = false): Promise<void> {
      const work = sending.then(() => sendAll(isStart));
      sending = work.catch(() => {});
      return work;
    },
  };

  function finishedRounds(): UnsentRound[] {
    return [...readUnsentRounds(folder), ...inMemory].filter(({ timing }) => timing !== undefined);
  }

  /** Resolves to why a round could not be added, if so; the session API rejects with nothing else. */
  async function add(api: SessionApi, { head, inputs, timing }: UnsentRound) {
    if (timing === undefined) return undefined;
    return api.addRound(head, inputs, timing).catch((problem: ServerProblem) => problem);
  }

  function forget({ head, path }: UnsentRound): void {
    removeRound(path);
    inMemory = inMemory.filter((each) => each.head.id !== head.id);
  }

  async function saveAll(): Promise<ReadonlyMap<string, string>> {
    const problems = new Map<string, string>();
    for (const round of finishedRounds()) {
      const { id, server: name } = round.head;
      const problem = saved.has(id) ? undefined : await add(local, round);
      if (problem === undefined) {
        saved.add(id);
        if (name === '') forget(round);
        // What its file has of it would be offered again at a later start.
        else if (inMemory.includes(round)) removeRound(round.path);
      } else {
        problems.set(id, problem.message);
        // Kept for inspection: no rule refuses what this program writes.
        if (isRefused(problem) && existsSync(round.path)) renameSync(round.path, `${round.path}.refused`);
      }
    }
    return problems;
  }

  async function sendAll(isStart: boolean): Promise<void> {
    const isBack = away !== '' && (await tryAgain());
    let [delivered, waiting, isLimited] = [0, 0, false];
    for (const round of finishedRounds().filter(({ head }) => saved.has(head.id))) {
      const isFor = round.head.server === server?.name && (server.isLocal || !round.head.isCustomText);
      const there = away === '' && !isLimited && isFor ? server.api : undefined;
      const problem = there && (await add(there, round));
      // A round that a server refuses for good stays here, and does not wait for it.
      const isSettled = there !== undefined && (problem === undefined || isRefused(problem));
      if (isSettled) forget(round);
      // A server that asks to wait is not away.
      else if (problem?.code === 'RATE_LIMITED') isLimited = true;
      // Something in front of the server may refuse one round, such as a long one, and no other.
      else if (problem !== undefined && problem.kind !== 'refused') setAway(problem);
      if (!isSettled) waiting += 1;
      else if (problem === undefined) delivered += 1;
    }
    if (delivered + waiting === 0 || !(isStart || isBack)) return;
    const news = [
      isBack ? 'The server is back.' : '',
      delivered > 0 ? `${plural(delivered, 'earlier round')} delivered to the server.` : '',
      waiting > 0 ? `${plural(waiting, 'earlier round')} not delivered yet.` : '',
    ];
    onEvent({ type: 'notice', notice: news.filter((sentence) => sentence !== '').join(' ') });
  }

  function setAway(problem: unknown): void {
    away = messageOf(problem) || 'no answer';
    onEvent({ type: 'loaded', change: { away } });
  }

  async function tryAgain(): Promise<boolean> {
    if (server === undefined || server.isOffline) return false;
    try {
      await server.api.checkAccess();
    } catch {
      return false;
    }
    away = '';
    onEvent({ type: 'loaded', change: { away } });
    return true;
  }
}

function isRefused({ code }: ServerProblem): boolean {
  return code === 'INVALID_REQUEST' || code === 'REQUEST_TOO_LARGE';
}

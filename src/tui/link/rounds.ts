import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import { UploadedModeSchema } from '../../contract/session-setup.ts';
import { defaultMode, modeName } from '../../typing/modes/mode.ts';
import { linedText } from '../../typing/modes/text.ts';
import { wordText } from '../../typing/rules/word.ts';
import type { RoundStart } from '../round/round-setup.ts';
import {
  isDone,
  isUnderWay,
  type RoundView,
  restoredRound,
  roundStart,
  type TypedInput,
  timingOf,
} from '../round/round-view.ts';
import { createDelivery, type RoundsOptions } from './delivery.ts';
import { createLiveInput, type LiveInput } from './live-input.ts';
import { messageOf, ServerProblem, type SessionSetup } from './session.ts';
import {
  claimRound,
  openRoundFile,
  pathOf,
  type RoundFile,
  type RoundHead,
  readInterruptedRounds,
  removeRound,
  thisProcess,
  type UnsentRound,
} from './unsent-rounds.ts';

/** The round in progress. */
interface ActiveRound {
  readonly head: RoundHead;
  readonly live: LiveInput | undefined;
  /** Undefined if the file could not be created. */
  readonly file: RoundFile | undefined;
  round: RoundView;
}

/** How long saving a round may delay the end of the program, ms. */
const savingGrace = 1000;

/** How long a server may take to send words before those of this computer are used, ms. */
const serverTimeout = 5000;

const offlineNotice = 'Offline: rounds are delivered later.';
const customTextNotice = 'This text and its round stay here.';

export type Rounds = ReturnType<typeof createRounds>;

/**
 * Provides new rounds, and stores what is typed. Typing never waits for any of this.
 *
 * A round is created on its server, or here while that is away, and typed onto the disk; a finished one is
 * delivered.
 */
export function createRounds(options: RoundsOptions) {
  const { folder, local, server, isChosen, onEvent } = options;
  const delivery = createDelivery(options);
  let isFirst = true;
  let active: ActiveRound | undefined;
  let generation = 0;
  let finishing: Promise<void> = Promise.resolve();

  return {
    /** Begins a round; the previous one is abandoned unless it is finished. */
    async begin(setup: SessionSetup): Promise<void> {
      const left = isFirst ? readInterruptedRounds(folder) : [];
      isFirst = false;
      const resumed = left.findLast(({ head }) => !isChosen || isOf(head, setup));
      if (resumed !== undefined && claimRound(resumed)) resume(resumed);
      else await begin(setup);
    },
    /** Types the same text again, as a separate round. */
    repeat({ words, practice: { rules, punctuation }, roundSetup }: RoundView): void {
      const start = { id: randomUUID(), words: words.map(wordText), rules, punctuation, roundSetup };
      const { server: name = '', isCustomText = false } = active?.head ?? {};
      activate(headOf(start, name, isCustomText));
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
    async flush(): Promise<void> {
      await delivery.save();
      await delivery.send(true);
    },
    catalog: local.catalog,
    /** Finished rounds that are neither saved nor on disk. */
    unsavedCount: delivery.unsavedCount,
    close,
    /** Closes files without waiting for anything: the process is about to end. */
    detach: () => void releaseActive(true),
  };

  /** Continues a round that an earlier run left unfinished and that no process types now. */
  function resume({ head, inputs }: UnsentRound): void {
    const begun = new Date(roundStart(restoredRound(head, inputs)));
    const date = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
    const notice = `Begun ${begun.toLocaleString('en-GB', date)}. Tab: a new one.`;
    activate({ ...head, ...thisProcess() }, notice, inputs);
  }

  async function begin(setup: SessionSetup): Promise<void> {
    const current = releaseActive();
    try {
      const { head, notice, live } = await createRound(setup);
      if (current === generation) activate(head, notice, [], live);
    } catch (problem) {
      if (current === generation) onEvent({ type: 'loaded', change: { waiting: messageOf(problem) } });
    }
  }

  /**
   * Closes the active round; one that is not finished is abandoned, unless it is kept for a later start. A new
   * round that was requested before will not be shown any more.
   */
  function releaseActive(keepUnfinished = false): number {
    if (active !== undefined) {
      const { file, live, head, round } = active;
      const isFinished = isDone(round) && round.ended === undefined;
      file?.close();
      if (!isFinished && !(keepUnfinished && isUnderWay(round))) removeRound(pathOf(folder, head));
      if (!isFinished) live?.stop();
      active = undefined;
    }
    generation += 1;
    return generation;
  }

  function activate(
    head: RoundHead,
    notice = '',
    inputs: readonly TypedInput[] = [],
    live?: LiveInput,
  ): void {
    releaseActive();
    const round = restoredRound(head, inputs);
    onEvent({ type: 'round', round, notice });
    // After the round is shown, because problems of the disk appear on its screen.
    active = { head, live, file: onDisk(() => openRoundFile(folder, head, inputs)), round };
    // Rounds that are being saved count for bests and averages, too.
    void delivery.saving.then(async () => {
      const history = await readHistory(round);
      if (history !== undefined && active?.round.id === round.id)
        onEvent({ type: 'loaded', change: { history } });
    });
  }

  function onDisk<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      onEvent({ type: 'notice', notice: `A crash would lose this round: ${messageOf(error)}.` });
      return undefined;
    }
  }

  async function createRound(setup: SessionSetup) {
    const isPrivate = setup.isCustomText && server?.isLocal === false;
    if (server !== undefined && !isPrivate && delivery.away === '') {
      try {
        const begun = await within(server.api.newRound(setup), serverTimeout);
        await delivery.requireNew(begun.start);
        const live = createLiveInput(server.api, begun);
        return { head: headOf(begun.start, server.name, setup.isCustomText), notice: '', live };
      } catch (problem) {
        delivery.setAway(problem);
      }
    } else if (server !== undefined) void delivery.send(); // it may have come back
    const { start } = await local.newRound(setup);
    const head = headOf(start, isPrivate ? '' : (server?.name ?? ''), setup.isCustomText);
    const awayNotice = `Offline: rounds wait for the server; ${delivery.away}.`;
    const notice = isPrivate ? customTextNotice : server?.isOffline ? offlineNotice : awayNotice;
    return { head, notice: server === undefined ? '' : notice, live: undefined };
  }

  /** Writes the new inputs of the round to disk, and sends them. */
  function persist(round: RoundView): void {
    if (active === undefined || active.round === round || active.round.id !== round.id) return;
    active.round = round;
    const { file, live } = active;
    onDisk(() => file?.write(round));
    live?.offer(round);
  }

  async function finish(round: RoundView): Promise<void> {
    persist(round);
    if (active === undefined) return;
    const { head, file, live } = active;
    if (!file?.isFinished)
      delivery.keepInMemory({ path: pathOf(folder, head), head, inputs: round.log, timing: timingOf(round) });
    // This computer first: a server may be silent for a while.
    const unsaved = (await delivery.save()).get(round.id) ?? '';
    onEvent({ type: 'saved', id: round.id, history: await readHistory(round), unsaved });
    await live?.flush();
    if (head.server !== '') await delivery.send();
  }

  /** Undefined if it cannot be read; a round can be typed without it. */
  function readHistory({ practice, roundSetup }: RoundView): Promise<HistoricalStatistics | undefined> {
    const { language, layout } = roundSetup;
    return local.history({ mode: modeName(practice.mode), language, layout }).catch(() => undefined);
  }

  /**
   * Call when the program ends. Resolves to whether the round is on disk, with every key.
   *
   * @param keepUnfinished whether a round under way is kept for a later start
   * @param grace ms that pending requests may take
   */
  async function close(keepUnfinished: boolean, grace: number): Promise<boolean> {
    const file = active?.file;
    const isWhole = file?.written === active?.round.inputCount;
    await within(delivery.save(), savingGrace).catch(() => {});
    if (grace > 0) await within(finishing, grace).catch(() => {});
    releaseActive(keepUnfinished);
    if (grace > 0 && server !== undefined && delivery.away === '')
      await within(server.api.leave(), grace).catch(() => {});
    return isWhole && file?.exists() === true;
  }
}

/** Whether a round is of the kind that is asked for, and of a text whether it is that text. */
function isOf({ words, roundSetup: { mode, language, layout } }: RoundHead, setup: SessionSetup): boolean {
  const { mode: asked = defaultMode } = setup;
  const text = asked.type === 'text' ? linedText(asked.text ?? '').words.map(wordText) : words;
  const kind = [v.parse(UploadedModeSchema, asked), setup.language, setup.layout, text];
  return isDeepStrictEqual([mode, language, layout, words], kind);
}

/** @param server by its name; empty: the round stays here */
function headOf(start: RoundStart, server: string, isCustomText: boolean): RoundHead {
  return { ...start, server, isCustomText, ...thisProcess(), created: Date.now() };
}

/** The result of `work`; rejects if it takes longer than `ms`. */
function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then(() => {
    throw new ServerProblem('away', 'no answer in time');
  });
  return Promise.race([work, late]);
}

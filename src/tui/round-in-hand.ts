import type { Delivery } from './link/delivery/delivery.ts';
import type { Receipt } from './link/delivery/delivery-state.ts';
import type { UnsentJournal } from './record/unsent-journal.ts';
import { isComplete, isUnderWay, type LocalRound, toTiming } from './round/round.ts';

/** The round being typed, on its way to the disk and to the server. */
export interface RoundInHand {
  /** The inputs so far: on disk before they are on the wire. */
  offer(round: LocalRound): void;
  /** The round is complete. Resolves when the server has it, or never will. May be called again. */
  finish(round: LocalRound): Promise<void>;
  /** A limit has ended it: only the typist's own record has it, or, until that is written, the disk. */
  endEarly(isRecorded: boolean): void;
  /** Resolves when the complete round is delivered, or never will be; undefined while it is not complete. */
  readonly ending: Promise<void> | undefined;
  /** Whether it is complete and its server does not answer. */
  readonly isStuck: boolean;
  /** Whether its server gives no answer at all: another request would only be waited for. */
  readonly isUnanswered: boolean;
  /** Resolves when the complete round is delivered, never will be, or its server does not answer. */
  awaitFate(): Promise<void>;
  /** Its journal; undefined where the disk took none. */
  readonly path: string | undefined;
  /** Whether every key of it is on the disk. */
  readonly isOnDisk: boolean;
  /** Nobody will go on with it: nothing of it stays. */
  drop(): void;
  /** Ends it with the client. Gives back whether it was left on disk for a later start. */
  end(options: { readonly keepUnfinished: boolean }): boolean;
  /** Leaves it on disk at once, unless there is nothing to leave, and sends no more of it. */
  detach(): void;
}

export interface RoundInHandOptions {
  readonly delivery: Delivery;
  /** Undefined where the disk takes none. */
  readonly journal: UnsentJournal | undefined;
  /** What an earlier client typed of it. Default: nothing. */
  readonly round?: LocalRound | undefined;
  readonly onReceipt: (round: LocalRound, receipt: Receipt) => void;
  readonly onJournalProblem: (reason: string) => void;
}

export function createRoundInHand(options: RoundInHandOptions): RoundInHand {
  const { delivery, journal } = options;
  let latest = options.round;
  let ending: Promise<void> | undefined;

  return {
    offer,
    finish(round) {
      offer(round);
      ending ??= deliver(round);
      return ending;
    },
    get ending() {
      return ending;
    },
    endEarly(isRecorded) {
      delivery.stop();
      if (isRecorded) journal?.remove();
      else journal?.close();
    },
    get isStuck() {
      return ending !== undefined && isOpen(delivery) && isWithoutServer(delivery);
    },
    get isUnanswered() {
      return delivery.isUnanswered === true;
    },
    async awaitFate() {
      await Promise.race([ending, delivery.awaitAbsence?.()]);
    },
    path: journal?.path,
    get isOnDisk() {
      return journal !== undefined && journal.written === (latest?.inputs.length ?? 0);
    },
    drop() {
      delivery.stop();
      journal?.remove();
    },
    end({ keepUnfinished }) {
      const isKept =
        latest !== undefined && (isUnderWay(latest) ? keepUnfinished : isUndelivered(latest, delivery));
      delivery.stop();
      if (isKept) journal?.close();
      else journal?.remove();
      return isKept;
    },
    detach() {
      delivery.stop(); // tried again for ever, it would keep the process alive when a server is away
      if (latest === undefined || delivery.isDone) journal?.remove();
      else journal?.close();
    },
  };

  function offer(round: LocalRound): void {
    if (round === latest) return;
    latest = round;
    try {
      journal?.append(round);
    } catch (error) {
      options.onJournalProblem((error as Error).message);
    }
    delivery.offer(round.inputs);
  }

  async function deliver(round: LocalRound): Promise<void> {
    const receipt = await delivery.finish(toTiming(round));
    if (receipt !== undefined) options.onReceipt(round, receipt);
    if (receipt !== undefined || !isOpen(delivery)) journal?.remove();
  }
}

/** Whether the server does not have the round and may still get it. */
function isOpen({ isDone, status }: Delivery): boolean {
  return !isDone && status.lost === '';
}

function isWithoutServer({ isWhole, status }: Delivery): boolean {
  return isWhole === true || status.away !== '';
}

function isUndelivered(round: LocalRound, delivery: Delivery): boolean {
  return isComplete(round) && isOpen(delivery);
}

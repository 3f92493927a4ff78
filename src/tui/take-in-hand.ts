import { randomUUID } from 'node:crypto';
import type { AppEvent } from './app/app-events.ts';
import { createDelivery, type Delivery } from './link/delivery/delivery.ts';
import type { DeliveryStatus } from './link/delivery/delivery-state.ts';
import { createRescuedDelivery } from './link/delivery/rescued-delivery.ts';
import { createWholeDelivery } from './link/delivery/whole-delivery.ts';
import type { SessionClient } from './link/session/session-client.ts';
import { offlineSession } from './link/source/offline-rounds.ts';
import type { NewRound } from './link/source/round-source.ts';
import { openUnsentJournal, type UnsentJournal } from './record/unsent-journal.ts';
import { type LocalRound, restoreRound } from './round/round.ts';
import { createRoundInHand, type RoundInHand } from './round-in-hand.ts';
import { toUploadHead } from './unsent-rounds.ts';

/** Where a round goes to, and where it is kept until it is there. */
export interface RoundDestination {
  readonly client: SessionClient;
  /** Address of the server, as it is noted in the journals. */
  readonly server: string;
  /** Folder for rounds that are not delivered yet. */
  readonly unsentFolder: string;
  /** Whether no server is to be asked at all. */
  readonly isOffline?: boolean | undefined;
  readonly onEvent: (event: AppEvent) => void;
}

/** A round that is typed from now on. */
export interface TakenRound {
  readonly round: NewRound;
  /** What an earlier client typed of it. */
  readonly inputs: LocalRound['inputs'];
  readonly punctuation: boolean;
  /** The id to deliver it whole under, where it has one already. */
  readonly upload?: string | undefined;
  /** The id for the case that its server has lost it, where the server cannot have it complete. */
  readonly spare?: string | undefined;
}

/** Opens journal and delivery of a round, and shows its words unless it is one that goes on. */
export function takeInHand(destination: RoundDestination, given: TakenRound): RoundInHand {
  const { onEvent } = destination;
  const { round, inputs } = given;
  const { words, rules, practised } = round;
  const isOffline = round.session === offlineSession;
  const taken = {
    ...given,
    upload: isOffline ? (given.upload ?? randomUUID()) : undefined,
    spare: isOffline || inputs.length > 0 ? given.spare : randomUUID(),
  };
  let journal: UnsentJournal | undefined;
  const noteSent = (mayBeThere: boolean) => {
    try {
      journal?.noteSent(mayBeThere);
    } catch (error) {
      onEvent({ type: 'journal-problem', reason: (error as Error).message });
    }
  };
  const delivery = toDelivery(destination, taken, noteSent);
  if (inputs.length === 0) onEvent({ type: 'words', words, rules, practised });
  journal = openJournal(destination, taken); // after the words: what is wrong with it is shown on their screen
  const inHand = createRoundInHand({
    delivery,
    journal,
    round: inputs.length === 0 ? undefined : restoreRound(words, inputs, rules, practised),
    onReceipt: (round, receipt) => onEvent({ type: 'receipt', round, receipt }),
    onJournalProblem: (reason) => onEvent({ type: 'journal-problem', reason }),
  });
  if (inputs.length > 0) delivery.offer(inputs);
  return inHand;
}

/** @param onSent see `RescuedDeliveryOptions` */
function toDelivery(
  { client, isOffline = false, onEvent }: RoundDestination,
  { round, punctuation, upload, spare }: TakenRound,
  onSent: (mayBeComplete: boolean) => void,
): Delivery {
  const { session, words, practised } = round;
  const onStatus = (status: DeliveryStatus) => onEvent({ type: 'delivery', status });
  const toHead = (id: string) => toUploadHead(id, round, punctuation);
  if (upload !== undefined) return createWholeDelivery({ client, head: toHead(upload), isOffline, onStatus });
  const target = { client, session, words, kind: practised, onStatus };
  if (spare === undefined) return createDelivery(target);
  return createRescuedDelivery({ ...target, head: toHead(spare), isOffline, onSent });
}

/** Undefined where the disk takes none. */
function openJournal(
  { unsentFolder, server, onEvent }: RoundDestination,
  { round, inputs, punctuation, upload, spare }: TakenRound,
): UnsentJournal | undefined {
  const { session, words, rules, practised } = round;
  const own = { server, punctuation, pid: process.pid, created: Date.now() };
  const head = { session, words, rules, practised, ...own, upload, spare };
  try {
    return openUnsentJournal(unsentFolder, head, inputs);
  } catch (error) {
    onEvent({ type: 'journal-problem', reason: (error as Error).message });
    return undefined;
  }
}

import type { Catalog } from './link/session/catalog.ts';
import type { SessionSetup } from './link/session/session-setup.ts';
import { type OfflineRounds, offlineSession } from './link/source/offline-rounds.ts';
import { createRoundSource, type NewRound, type RoundSource } from './link/source/round-source.ts';
import { removeUnsent, toLeftRound, type UnsentRound } from './record/unsent-journal.ts';
import { noLimits } from './round/limits.ts';
import { type Practised, usualPractised } from './round/practised.ts';
import type { LocalRound } from './round/round.ts';
import type { RoundInHand } from './round-in-hand.ts';
import { type RoundDestination, type TakenRound, takeInHand } from './take-in-hand.ts';
import { toCutOffText } from './text/place-text.ts';
import { handleUnsentRounds } from './unsent-rounds.ts';

/** Brings rounds from the server, and what was typed back to it. Typing never waits for any of this. */
export interface RoundBroker {
  /** Gets a new round, however long it takes; the round before is given up unless it is complete. */
  begin(setup: SessionSetup): Promise<void>;
  /** Takes up a round that was cut off earlier; it gets a journal of its own in place of the one left. */
  takeUp(left: UnsentRound): void;
  /** The inputs of the current round so far. */
  offer(round: LocalRound): void;
  /** The current round is complete. */
  finish(round: LocalRound): void;
  /** A limit has ended the current round: the server gets no more of it. One that is not recorded stays on disk. */
  endEarly(isRecorded: boolean): void;
  /**
   * Waits for what is on its way, at most `grace` ms, and leaves the rest on disk. Resolves to whether the current round is
   * there now, with every key.
   */
  close(closing: BrokerClosing): Promise<boolean>;
  /** Asks what the server offers. */
  readCatalog(): Promise<Catalog>;
  /** Leaves everything on disk at once: the process is about to end. */
  detach(): void;
}

export interface BrokerClosing {
  /** Ms that what is on its way may take. */
  readonly grace: number;
  /** Whether a round under way is kept for a later start. */
  readonly keepUnfinished: boolean;
}

export interface RoundBrokerOptions extends RoundDestination {
  /** Makes rounds while there is no server. Default: they are waited for. */
  readonly offline?: OfflineRounds | undefined;
  /** Whether the server does not answer at the start. */
  readonly isAway?: boolean | undefined;
  /** Whether no host with its name was found at the start. */
  readonly isUnknownName?: boolean | undefined;
  /** A round that was cut off and waits for a server. */
  readonly heldUp?: UnsentRound | undefined;
}

export function createRoundBroker(options: RoundBrokerOptions): RoundBroker {
  const { client, onEvent } = options;
  const source = createRoundSource({
    ...options,
    onWaiting: (reason) => onEvent({ type: 'waiting', reason }),
    onBack: () => void deliverLeft(),
  });
  const closing = new AbortController();
  let search = new AbortController();
  let current: RoundInHand | undefined;

  return {
    begin,
    takeUp(left) {
      source.takeOver(left.head.session);
      current = takeInHand(options, toTakenRound(left));
      if (current.path !== undefined) removeUnsent(left); // only now: a full disk must not take the one before
    },
    offer: (round) => current?.offer(round),
    finish: (round) => void current?.finish(round),
    endEarly(isRecorded) {
      current?.endEarly(isRecorded);
      current = undefined;
    },
    readCatalog: () => readCatalog(options),
    close,
    detach() {
      endSearches();
      current?.detach();
    },
  };

  async function begin(setup: SessionSetup): Promise<void> {
    if (closing.signal.aborted) return;
    search.abort();
    search = new AbortController();
    const { signal } = search;
    await endCurrent();
    const next = await source.next(setup, signal);
    if (next === undefined) return;
    const practised = toPractised(next, setup);
    const { punctuation } = setup;
    current = takeInHand(options, { round: { ...next, practised }, inputs: [], punctuation });
    if (next.session === offlineSession) return onEvent({ type: 'notice', notice: toOfflineNotice(options) });
    const history = await client.readHistory(next.session, practised).catch(() => undefined); // a round can be typed without it
    if (history !== undefined && !signal.aborted) onEvent({ type: 'history', history });
  }

  /** Before the next round begins. */
  async function endCurrent(): Promise<void> {
    const before = current;
    if (before === undefined) return;
    await endBeforeNext(before, source, options.offline !== undefined);
    if (current === before) current = undefined;
  }

  /** The server answers again: rounds that could not be delivered go to it, all but the one in hand. */
  async function deliverLeft(): Promise<void> {
    const isOurs = (path: string) => path === current?.path;
    const { unsentFolder: folder, server } = options;
    const { delivered, left } = await handleUnsentRounds({ folder, client, server, isOurs });
    const notice = toBackNotice(delivered, left !== undefined);
    if (notice !== '' && !closing.signal.aborted) onEvent({ type: 'notice', notice });
  }

  async function close({ grace, keepUnfinished }: BrokerClosing): Promise<boolean> {
    endSearches();
    const last = current;
    if (last?.ending !== undefined) await withinGrace(last.ending, grace);
    const isKept = last?.end({ keepUnfinished }) ?? false;
    const { session } = source;
    if (!isKept && session !== undefined && !options.isOffline)
      await withinGrace(client.deleteSession(session), grace);
    await client.close();
    return isKept && last?.isOnDisk === true;
  }

  /** No round is looked for any more. */
  function endSearches(): void {
    closing.abort();
    search.abort();
  }
}

function toTakenRound({ head, inputs, mayBeThere }: UnsentRound): TakenRound {
  const { punctuation, upload, practised = usualPractised } = head;
  const spare = mayBeThere ? undefined : head.spare;
  return { round: { ...head, practised }, inputs, punctuation, upload, spare };
}

/** A complete round has the way to the server first; one that was broken off is forgotten. */
async function endBeforeNext(inHand: RoundInHand, source: RoundSource, hasOffline: boolean): Promise<void> {
  if (inHand.ending === undefined) return inHand.drop();
  if (hasOffline) await inHand.awaitFate(); // the server may fall silent just now, and what was sent last is still on its way
  if (!hasOffline || !inHand.isStuck) return inHand.ending;
  const { isUnanswered } = inHand;
  inHand.end({ keepUnfinished: true });
  source.leave({ isAway: isUnanswered });
}

function readCatalog({ client, offline, isOffline }: RoundBrokerOptions): Promise<Catalog> {
  if (offline === undefined) return client.readCatalog();
  return isOffline ? offline.readCatalog() : client.readCatalog().catch(() => offline.readCatalog());
}

/** What the server does not know of a round: its limits, and the keys of a layout of the typist's own. */
function toPractised(
  { practised }: NewRound,
  { limits = noLimits, layout, ownLayout }: SessionSetup,
): Practised {
  const isOwn = ownLayout !== undefined && practised.layout === layout;
  return { ...practised, limits, ...(isOwn ? { ownLayout } : {}) };
}

/** What became of earlier rounds now that the server answers again; empty where there are none. */
function toBackNotice(delivered: number, canGoOn: boolean): string {
  const which = delivered === 1 ? 'an earlier round was' : `${delivered} earlier rounds were`;
  if (delivered === 0)
    return canGoOn ? 'The server is back: the next start goes on with the round cut off.' : '';
  const next = canGoOn ? ' The next start goes on with the one cut off.' : '';
  return `The server is back: ${which} delivered.${next}`;
}

/** Who does not answer, and what becomes of the rounds: of one that was cut off before, or of those to come. */
function toOfflineNotice({ server, isUnknownName, isOffline, heldUp }: RoundBrokerOptions): string {
  const { host, hostname } = URL.canParse(server)
    ? new URL(server)
    : { host: 'the server', hostname: 'of the server' };
  const silence = isUnknownName ? `no host has the name ${hostname}` : `no answer from ${host}`;
  if (heldUp === undefined) {
    return isOffline
      ? 'Offline: rounds are kept here, and delivered at a later start.'
      : `Offline: ${silence}. Rounds are delivered when it answers.`;
  }
  const why = isOffline ? 'Offline: a later start delivers rounds.' : `Offline: ${silence}.`;
  return `${why} ${toCutOffText(toLeftRound(heldUp))} waits.`;
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

import { toWireRules } from '../contract/session-setup.ts';
import { createDelivery, type Delivery } from './link/delivery/delivery.ts';
import { toEvent } from './link/delivery/input-event.ts';
import { createRescuedDelivery } from './link/delivery/rescued-delivery.ts';
import type { UploadHead } from './link/delivery/whole-delivery.ts';
import type { StartedRound } from './link/session/answers.ts';
import { isLostSession, ServerProblem } from './link/session/server-problem.ts';
import type { SessionClient } from './link/session/session-client.ts';
import type { UnsentFindings } from './record/unsent-findings.ts';
import {
  noteUnsentSent,
  readUnsentRounds,
  removeUnsent,
  toLeftRound,
  type UnsentRound,
} from './record/unsent-journal.ts';
import { usualPractised } from './round/practised.ts';
import { isComplete, toTiming } from './round/round.ts';

export interface UnsentOptions {
  readonly folder: string;
  readonly client: SessionClient;
  /** Address of the server that the client talks to. */
  readonly server: string;
  /** Whether a file is the round in hand, which is not to be touched. Default: none is. */
  readonly isOurs?: (path: string) => boolean;
  /** Whether the server is known not to answer: nothing is sent, and only rounds that need none can go on. */
  readonly isSilent?: boolean;
  /** Whether whole rounds go to this server that were typed for another one. Default: they wait for that one. */
  readonly isForAll?: boolean;
}

/** Servers forget a session that nobody used for a day: its round can then be delivered nowhere. */
const longestLife = 24 * 60 * 60 * 1000;

/** Delivers the complete rounds that earlier clients could not, and finds one that was cut off in the middle. */
export async function handleUnsentRounds(options: UnsentOptions): Promise<UnsentFindings> {
  let delivered = 0;
  let left: UnsentRound | undefined;
  const heldUp: UnsentRound[] = [];
  const awaited: string[] = [];
  for (const unsent of readUnsentRounds(options.folder)) {
    if (options.isOurs?.(unsent.path)) continue;
    const fate = await tryRound(options, unsent);
    if (fate === 'delivered') delivered += 1;
    if (fate === 'can-go-on') left = unsent;
    if (fate === 'elsewhere') awaited.push(unsent.head.server);
    const isOver = fate === 'delivered' || fate === 'empty';
    if (isOver || (fate === 'unknown-here' && isHopeless(options, unsent))) removeUnsent(unsent);
    else if (fate !== 'can-go-on' && isCutOff(unsent) && isKnownSomewhere(unsent)) heldUp.push(unsent);
  }
  return { delivered, left, heldUp, awaited };
}

/** Whether a round is finished and needs nothing but a server that takes it: the one that has begun it, or any. */
export function isWaiting(unsent: UnsentRound): boolean {
  if (unsent.inputs.length === 0) return false;
  const round = toLeftRound(unsent);
  return round.ended === undefined && isComplete(round);
}

/** Whether a round was left in the middle. */
export function isCutOff(unsent: UnsentRound): boolean {
  return unsent.inputs.length > 0 && !isComplete(toLeftRound(unsent));
}

/** `ended` ones are for the record alone; those for `elsewhere` wait for another server. */
type Fate = 'empty' | 'ended' | 'delivered' | 'can-go-on' | 'unknown-here' | 'elsewhere' | 'later';

async function tryRound(options: UnsentOptions, unsent: UnsentRound): Promise<Fate> {
  const { client } = options;
  const { head, inputs } = unsent;
  if (inputs.length === 0) return 'empty';
  const round = toLeftRound(unsent);
  if (round.ended !== undefined) return 'ended';
  if (head.upload === undefined && options.isSilent) return 'later';
  if (head.upload !== undefined) return tryWholeRound(options, unsent, head.upload);
  try {
    const state = await client.readState(head.session);
    if (state.words.join(' ') !== head.words.join(' ') || state.last_seq > inputs.length)
      return tryLostRound(options, unsent);
  } catch (problem) {
    if (!(problem instanceof ServerProblem)) return 'later';
    if (isLostSession(problem)) return tryLostRound(options, unsent);
    return problem.kind === 'refused' ? 'unknown-here' : 'later';
  }
  if (!isComplete(round)) return 'can-go-on';
  const delivery = toDelivery(options, unsent);
  delivery.offer(inputs);
  const patience = setTimeout(() => delivery.stop(), longestWait);
  const receipt = await delivery.finish(toTiming(round));
  clearTimeout(patience);
  if (receipt !== undefined || delivery.isDone) return 'delivered';
  return delivery.status.lost === '' ? 'later' : 'unknown-here';
}

function toDelivery({ client }: UnsentOptions, unsent: UnsentRound): Delivery {
  const { session, words, spare } = unsent.head;
  if (spare === undefined || unsent.mayBeThere) return createDelivery({ client, session, words });
  return createRescuedDelivery({
    client,
    session,
    words,
    head: toWhole(unsent, spare),
    isOffline: false,
    onSent(mayBeThere) {
      try {
        noteUnsentSent(unsent, mayBeThere);
      } catch {
        // A full disk: that the server will lose it just now is less likely than that it takes it.
      }
    },
    onStatus: () => undefined,
  });
}

/** A round whose session its server has lost: it goes there whole, unless the server may have it complete. */
async function tryLostRound(options: UnsentOptions, unsent: UnsentRound): Promise<Fate> {
  const { spare } = unsent.head;
  return spare === undefined || unsent.mayBeThere ? 'unknown-here' : tryWholeRound(options, unsent, spare);
}

/**
 * A round that no server has begun: it goes to the server that it was typed for, or, where none was named, to one on this
 * machine. Its id makes a second delivery harmless, also after a crash between the answer and the removal of the file.
 */
async function tryWholeRound(
  { client, server, isSilent, isForAll }: UnsentOptions,
  unsent: UnsentRound,
  upload: string,
): Promise<Fate> {
  const { head, inputs } = unsent;
  const round = toLeftRound(unsent);
  if (!isComplete(round)) return 'can-go-on';
  const isForHere = head.server === server || (head.server === offlineServer && isLocal(server));
  if (!isForHere && !isForAll) return 'elsewhere';
  if (isSilent) return 'later';
  try {
    await client.addRound({ ...toWhole(unsent, upload), ...toTiming(round), events: inputs.map(toEvent) });
    return 'delivered';
  } catch (problem) {
    // Whatever else it refuses, such as a key, may be put right.
    return problem instanceof ServerProblem && problem.code === 'INVALID_REQUEST' ? 'unknown-here' : 'later';
  }
}

function toWhole({ head }: UnsentRound, id: string): UploadHead {
  const { words, rules, practised = usualPractised } = head;
  return toUploadHead(id, { words, rules, practised }, head.punctuation);
}

/** Noted as the server of rounds that were typed with `--offline` for no server in particular. */
export const offlineServer = 'offline';

/** What was typed for no server goes to no stranger. */
function isLocal(server: string): boolean {
  return server.startsWith('inside ') || /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(server);
}

/** A round as `POST /api/rounds` takes it, without what was typed. */
export function toUploadHead(
  id: string,
  {
    words,
    rules,
    practised: { mode, language, layout, ownLayout },
  }: Pick<StartedRound, 'words' | 'rules' | 'practised'>,
  punctuation: boolean,
): UploadHead {
  return {
    id,
    words: [...words],
    rules: toWireRules(rules),
    mode,
    language,
    layout: ownLayout ?? layout,
    punctuation_mode: punctuation,
  };
}

/** A server that goes away in between must not hold up the new round, ms. */
const longestWait = 10_000;

/** Another server may still know it; the one it was typed for says no more than the truth. */
function isHopeless({ server }: UnsentOptions, unsent: UnsentRound): boolean {
  return unsent.head.server === server || !isKnownSomewhere(unsent);
}

function isKnownSomewhere({ head }: UnsentRound): boolean {
  return Date.now() - head.created <= longestLife;
}

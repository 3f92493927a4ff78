import { createDelivery } from './link/delivery.ts';
import { ServerProblem } from './link/server-problem.ts';
import type { SessionClient } from './link/session-client.ts';
import { readUnsentRounds, removeUnsent, toLeftRound, type UnsentRound } from './record/round-journal.ts';
import { isComplete, toTiming } from './round/round.ts';

export interface UnsentOptions {
  readonly folder: string;
  readonly client: SessionClient;
  /** Address of the server that the client talks to. */
  readonly server: string;
}

export interface UnsentFindings {
  /** Complete rounds that have been delivered now. */
  readonly delivered: number;
  /** The latest round that was cut off and can go on. */
  readonly left: UnsentRound | undefined;
}

/** Servers forget a session that nobody used for a day: its round can then be delivered nowhere. */
const longestLife = 24 * 60 * 60 * 1000;

/** Delivers the complete rounds that earlier clients could not, and finds one that was cut off in the middle. */
export async function handleUnsentRounds(options: UnsentOptions): Promise<UnsentFindings> {
  let delivered = 0;
  let left: UnsentRound | undefined;
  for (const unsent of readUnsentRounds(options.folder)) {
    const fate = await tryRound(options, unsent);
    if (fate === 'delivered') delivered += 1;
    if (fate === 'can-go-on') left = unsent;
    const isOver = fate === 'delivered' || fate === 'empty';
    if (isOver || (fate === 'unknown-here' && isHopeless(options, unsent))) removeUnsent(unsent);
  }
  return { delivered, left };
}

/** `ended` ones are for the record alone. */
type Fate = 'empty' | 'ended' | 'delivered' | 'can-go-on' | 'unknown-here' | 'later';

async function tryRound({ client }: UnsentOptions, unsent: UnsentRound): Promise<Fate> {
  const { head, inputs } = unsent;
  if (inputs.length === 0) return 'empty';
  const round = toLeftRound(unsent);
  if (round.ended !== undefined) return 'ended';
  try {
    const state = await client.readState(head.session);
    if (state.words.join(' ') !== head.words.join(' ') || state.last_seq > inputs.length)
      return 'unknown-here';
  } catch (problem) {
    return problem instanceof ServerProblem && problem.kind === 'refused' ? 'unknown-here' : 'later';
  }
  if (!isComplete(round)) return 'can-go-on';
  const delivery = createDelivery({ client, session: head.session, words: head.words });
  delivery.offer(inputs);
  const patience = setTimeout(() => delivery.stop(), longestWait);
  const receipt = await delivery.finish(toTiming(round));
  clearTimeout(patience);
  if (receipt !== undefined) return 'delivered';
  return delivery.status.lost === '' ? 'later' : 'unknown-here';
}

/** A server that goes away in between must not hold up the new round, ms. */
const longestWait = 10_000;

/** Another server may still know it; the one it was typed for says no more than the truth. */
function isHopeless({ server }: UnsentOptions, { head }: UnsentRound): boolean {
  return head.server === server || Date.now() - head.created > longestLife;
}

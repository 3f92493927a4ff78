import { isComplete, restoreRun, toTiming } from './game/run.ts';
import { createDelivery } from './link/delivery.ts';
import { ServerProblem } from './link/server-problem.ts';
import type { SessionClient } from './link/session-client.ts';
import { readUnsentRuns, removeUnsent, type UnsentRun } from './record/run-journal.ts';

export interface UnsentOptions {
  readonly folder: string;
  readonly client: SessionClient;
  /** Address of the server that the client talks to. */
  readonly server: string;
}

export interface UnsentFindings {
  /** Complete runs that have been delivered now. */
  readonly delivered: number;
  /** The latest run that was cut off and can go on. */
  readonly left: UnsentRun | undefined;
}

/** Servers forget a session that nobody used for a day: its run can then be delivered nowhere. */
const longestLife = 24 * 60 * 60 * 1000;

/** Delivers the complete runs that earlier clients could not, and finds one that was cut off in the middle. */
export async function handleUnsentRuns(options: UnsentOptions): Promise<UnsentFindings> {
  let delivered = 0;
  let left: UnsentRun | undefined;
  for (const unsent of readUnsentRuns(options.folder)) {
    const fate = await tryRun(options, unsent);
    if (fate === 'delivered') delivered += 1;
    if (fate === 'can-go-on') left = unsent;
    const isOver = fate === 'delivered' || fate === 'empty';
    if (isOver || (fate === 'unknown-here' && isHopeless(options, unsent))) removeUnsent(unsent);
  }
  return { delivered, left };
}

type Fate = 'empty' | 'delivered' | 'can-go-on' | 'unknown-here' | 'later';

async function tryRun({ client }: UnsentOptions, { head, inputs }: UnsentRun): Promise<Fate> {
  if (inputs.length === 0) return 'empty';
  try {
    const state = await client.readState(head.session);
    if (state.words.join(' ') !== head.words.join(' ') || state.last_seq > inputs.length)
      return 'unknown-here';
  } catch (problem) {
    return problem instanceof ServerProblem && problem.kind === 'refused' ? 'unknown-here' : 'later';
  }
  const run = restoreRun(head.words, inputs);
  if (!isComplete(run)) return 'can-go-on';
  const delivery = createDelivery({ client, session: head.session, words: head.words });
  delivery.offer(inputs);
  const patience = setTimeout(() => delivery.stop(), longestWait);
  const receipt = await delivery.finish(toTiming(run));
  clearTimeout(patience);
  if (receipt !== undefined) return 'delivered';
  return delivery.status.lost === '' ? 'later' : 'unknown-here';
}

/** A server that goes away in between must not hold up the new round, ms. */
const longestWait = 10_000;

/** Another server may still know it; the one it was typed for says no more than the truth. */
function isHopeless({ server }: UnsentOptions, { head }: UnsentRun): boolean {
  return head.server === server || Date.now() - head.created > longestLife;
}

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createAsker } from './clients/exchange.ts';
import { runGreedyClient } from './clients/greedy-client.ts';
import { newPlayer } from './clients/player.ts';
import { runRudeClient } from './clients/rude-clients.ts';
import { runTypist } from './clients/typist.ts';
import { runVisitor, type Sights } from './clients/visitor.ts';
import { createTally, type TallyReport } from './figures/tally.ts';
import { attacks, runHostileClient } from './hostile/hostile-clients.ts';
import { type LedgerCopy, newLedger, type SessionEntry, toLedgerCopy } from './ledger.ts';
import { createWorld, pause, ServerEnded } from './world.ts';

// The clients, in processes of their own: users in one, attackers in another, so that the latencies of users contain the work
// of the server and not that of attackers. Started by the soak, told by it what to do, and gone when it is.

/** How many of each; the hostile ones are so many of each attack. */
const crowd = { typists: 200, visitors: 120, greedy: 4, rude: 24, hostile: 2 } as const;
/** Typists of one load are other players than those of the next. */
const playersOfLoad = 250;

/** Which of the clients a process is. */
export type Crowd = 'users' | 'attackers';

export type Order = 'hush' | 'go on' | 'attack' | 'end is near' | 'kill is near';

/** Open sessions of users, for attackers to try. */
export interface Victims {
  readonly victims: readonly SessionEntry[];
}

export type Message =
  | {
      readonly type: 'progress';
      readonly requests: number;
      readonly faults: number;
      readonly victims: readonly SessionEntry[];
    }
  | { readonly type: 'hushed' }
  | { readonly type: 'ready for the end' }
  | {
      readonly type: 'done';
      readonly tally: TallyReport;
      readonly ledger: LedgerCopy;
      readonly messages: readonly string[];
      readonly delay: Delay;
    };

/** How late the clients themselves were, in milliseconds: every latency contains it. */
export interface Delay {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** So many sessions of users are made known to attackers, each second others. */
const knownVictims = 20;

const [port = '', firstDuration = '', number = '', role = ''] = process.argv.slice(2);
const { ask, closeIdle } = createAsker(Number(port));
const tally = createTally((what) => process.stderr.write(`not owed: ${what}\n`));
const ledger = newLedger(Number(firstDuration));
const sights: Sights = { bodies: new Map(), messages: new Set() };
const world = createWorld(Number(port), ask, tally, ledger);
world.setPhase(', before the attack');
let attack = () => {};
const attacked = new Promise<void>((resolve) => {
  attack = resolve;
});

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const toMilliseconds = (nanoseconds: number) => nanoseconds / 1e6;

const tell = (message: Message) =>
  new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()));

/** A client whose answer was wrong begins again, after a moment; its fault has been counted. */
async function keepRunning(run: () => Promise<void>): Promise<void> {
  while (!world.isEnding()) {
    try {
      await run();
    } catch (error) {
      if (error instanceof ServerEnded) return;
      await pause(500);
    }
  }
}

process.on('disconnect', () => process.exit(1));
process.on('message', async (order: Order | Victims) => {
  if (typeof order === 'object') {
    ledger.sessions.clear();
    for (const victim of order.victims) ledger.sessions.set(victim.id, victim);
  } else if (order === 'hush') {
    await world.hush();
    closeIdle();
    await tell({ type: 'hushed' });
  } else if (order === 'go on') {
    world.goOn();
  } else if (order === 'attack') {
    world.setPhase('');
    attack();
  } else {
    world.expectEnd(order === 'kill is near');
    await tell({ type: 'ready for the end' });
  }
});

const progress = setInterval(() => {
  const sessions = [...ledger.sessions.values()];
  const first = Math.floor(Math.random() * sessions.length);
  const victims = sessions.slice(first, first + knownVictims);
  void tell({ type: 'progress', requests: tally.requests(), faults: tally.faultCount(), victims });
}, 1000);
await Promise.all((role as Crowd) === 'attackers' ? startAttackers() : startUsers());
clearInterval(progress);
await tell({
  type: 'done',
  tally: tally.report(),
  ledger: toLedgerCopy(ledger),
  messages: [...sights.messages],
  delay: {
    p50: toMilliseconds(delay.percentile(50)),
    p99: toMilliseconds(delay.percentile(99)),
    longest: toMilliseconds(delay.max),
  },
});
process.removeAllListeners('disconnect');
process.disconnect();

function startUsers(): Promise<void>[] {
  const many = (count: number, run: (at: number) => Promise<void>) =>
    Array.from({ length: count }, (_, at) => keepRunning(() => run(at)));
  const players = Array.from({ length: crowd.typists }, (_, at) =>
    newPlayer(Number(number) * playersOfLoad + at),
  );
  return [
    ...players.map((player) => keepRunning(() => runTypist(world, player))),
    ...many(crowd.visitors, () => runVisitor(world, sights)),
    ...many(crowd.greedy, (at) => runGreedyClient(world, `192.0.2.${at + 1}`)),
    ...many(crowd.rude, () => runRudeClient(world)),
  ];
}

function startAttackers(): Promise<void>[] {
  return attacks.flatMap((act) =>
    Array.from({ length: crowd.hostile }, async (_, at) => {
      await attacked;
      await keepRunning(() => runHostileClient(world, act, at));
    }),
  );
}

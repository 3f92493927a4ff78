import { createAsker } from './exchange.ts';
import { runGreedyClient } from './greedy-client.ts';
import { type LedgerCopy, newLedger, toLedgerCopy } from './ledger.ts';
import { runRudeClient } from './rude-clients.ts';
import { createTally, type TallyReport } from './tally.ts';
import { runTypist } from './typist.ts';
import { runVisitor, type Sights } from './visitor.ts';
import { createWorld, pause, ServerEnded } from './world.ts';

// The clients, in a process of their own. Started by the soak, told by it what to do, and gone when it is.

/** How many of each. */
const crowd = { typists: 200, visitors: 120, greedy: 4, rude: 24 } as const;

export type Order = 'hush' | 'go on' | 'end is near' | 'kill is near';

export type Message =
  | { readonly type: 'progress'; readonly requests: number; readonly faults: number }
  | { readonly type: 'hushed' }
  | { readonly type: 'ready for the end' }
  | {
      readonly type: 'done';
      readonly tally: TallyReport;
      readonly ledger: LedgerCopy;
      readonly messages: readonly string[];
    };

const [port = '', firstDuration = ''] = process.argv.slice(2);
const { ask, closeIdle } = createAsker(Number(port));
const tally = createTally((what) => process.stderr.write(`not owed: ${what}\n`));
const ledger = newLedger(Number(firstDuration));
const sights: Sights = { bodies: new Map(), messages: new Set() };
const world = createWorld(Number(port), ask, tally, ledger);

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
process.on('message', async (order: Order) => {
  if (order === 'hush') {
    await world.hush();
    closeIdle();
    await tell({ type: 'hushed' });
  } else if (order === 'go on') {
    world.goOn();
  } else {
    world.expectEnd(order === 'kill is near');
    await tell({ type: 'ready for the end' });
  }
});

const progress = setInterval(
  () => void tell({ type: 'progress', requests: tally.requests(), faults: tally.faultCount() }),
  1000,
);
await Promise.all([
  ...Array.from({ length: crowd.typists }, () => keepRunning(() => runTypist(world))),
  ...Array.from({ length: crowd.visitors }, () => keepRunning(() => runVisitor(world, sights))),
  ...Array.from({ length: crowd.greedy }, (_, at) =>
    keepRunning(() => runGreedyClient(world, `192.0.2.${at + 1}`)),
  ),
  ...Array.from({ length: crowd.rude }, () => keepRunning(() => runRudeClient(world))),
]);
clearInterval(progress);
await tell({
  type: 'done',
  tally: tally.report(),
  ledger: toLedgerCopy(ledger),
  messages: [...sights.messages],
});
process.removeAllListeners('disconnect');
process.disconnect();

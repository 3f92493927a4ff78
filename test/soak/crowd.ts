import { attacks, runAttacker } from './clients/attackers.ts';
import { newPlayer } from './clients/player.ts';
import { runRudeClient } from './clients/rude-clients.ts';
import { runTypist } from './clients/typist.ts';
import { runVisitor, type Sights } from './clients/visitor.ts';
import { pause, ServerEnded, type World } from './world.ts';

/** How many of each; of attackers, of each attack. */
const counts = { typists: 200, visitors: 120, rude: 24, attackers: 1 } as const;

export interface Crowd {
  /** Lets the attackers begin. */
  attack(): void;
  /** Resolves once all clients have stopped. */
  readonly ended: Promise<unknown>;
}

/** Starts all simulated clients. Typists of one crowd are other players than those of the next, which has another number. */
export function startCrowd(world: World, sights: Sights, number: number): Crowd {
  const many = (count: number, run: (at: number) => Promise<void>) =>
    Array.from({ length: count }, (_, at) => keepRunning(world, () => run(at)));
  let attack = () => {};
  const attacked = new Promise<void>((resolve) => {
    attack = resolve;
  });
  const players = Array.from({ length: counts.typists }, (_, at) => newPlayer(number * counts.typists + at));
  const ended = Promise.all([
    ...players.map((player) => keepRunning(world, () => runTypist(world, player))),
    ...many(counts.visitors, () => runVisitor(world, sights)),
    ...many(counts.rude, () => runRudeClient(world)),
    ...attacks.flatMap((act, kind) =>
      many(counts.attackers, async (at) => {
        await attacked;
        await runAttacker(world, act, kind * counts.attackers + at);
      }),
    ),
  ]);
  return { attack, ended };
}

/** A client whose answer was wrong begins again, after a moment; its fault has been counted. */
async function keepRunning(world: World, run: () => Promise<void>): Promise<void> {
  while (!world.isEnding()) {
    try {
      await run();
    } catch (error) {
      if (error instanceof ServerEnded) return;
      await pause(500);
    }
  }
}

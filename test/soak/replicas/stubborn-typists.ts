import { isDeepStrictEqual } from 'node:util';
import { createStubbornClient, type Insist } from '../../server/replicas/torture/stubborn-client.ts';
import {
  type Figures,
  newPlan,
  openRound,
  type Plan,
  readFigures,
  typeStubbornly,
  typeUndisturbed,
} from '../../server/replicas/torture/tortured-typist.ts';
import { startTestServer } from '../../support/test-server.ts';
import type { Tally } from '../figures/tally.ts';
import { pause } from '../world.ts';

export interface StubbornWorld {
  readonly nextPort: () => number;
  readonly tally: Tally;
  /** When to stop beginning rounds, by `performance.now`. */
  readonly end: number;
  /** When a primary was killed last, by `performance.now`. */
  failedAt: number;
}

/** A session that was opened in the last moment of a primary may be lost with it; its client learns so this much later at most. */
const failoverEffects = 30_000;

/** A failover may take back what was answered in its last moment; so often is a round made whole again before that is a fault. */
const mostRepairs = 3;

/** Types one round after the other, each as a new player, and compares all that the servers say of it with an undisturbed run. */
export async function runStubbornTypist(world: StubbornWorld, number: number): Promise<void> {
  const { tally, end } = world;
  while (performance.now() < end) {
    try {
      const plan = newPlan(number);
      const insist = timed(tally, createStubbornClient({ nextPort: world.nextPort, key: plan.key }));
      await playRound(tally, insist, plan);
    } catch (error) {
      const isLost = /SESSION_NOT_FOUND|ROUND_NOT_STARTED/.test((error as Error).message);
      if (isLost && performance.now() - world.failedAt < failoverEffects)
        tally.record('session lost with its primary', 0);
      else tally.fault((error as Error).message.slice(0, 300).replaceAll(/[0-9a-f]{32}/g, '<id>'));
      await pause(500);
    }
  }
}

const paceOf = (isRushed: boolean) => ({ isRushed: () => isRushed, mayFinish: () => true });

async function playRound(tally: Tally, insist: Insist, plan: Plan): Promise<void> {
  const [results, owed] = await undisturbed(plan);
  const id = await openRound(insist, plan);
  let { lost } = await typeStubbornly(insist, id, plan, results, paceOf(false));
  for (let repairs = 0; ; repairs++) {
    const found = await readFigures(insist, id);
    if (isDeepStrictEqual(found, owed)) break;
    if (repairs === mostRepairs) throw new Error(`another round: ${JSON.stringify(found)}`);
    tally.record('round repaired', 0);
    await pause(1_000);
    lost += (await typeStubbornly(insist, id, plan, results, paceOf(true))).lost;
  }
  tally.record('round compared', 0);
  for (; lost > 0; lost--) tally.record('key sent again', 0);
}

/** One after the other, on a server of its own with files. */
let server: ReturnType<typeof startTestServer> | undefined;
async function undisturbed(plan: Plan): Promise<[Parameters<typeof typeStubbornly>[3], Figures]> {
  server ??= startTestServer();
  return typeUndisturbed((await server).port, plan);
}

export async function closeUndisturbed(): Promise<void> {
  await (await server)?.close();
}

function timed(tally: Tally, insist: Insist): Insist {
  return async (method, path, body, headers) => {
    const start = performance.now();
    const answer = await insist(method, path, body, headers);
    tally.record(path.split('/').at(-1) ?? '', performance.now() - start);
    return answer as never;
  };
}

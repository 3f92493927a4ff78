import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type ReplicaGroup, startReplicas } from '../server/replicas/torture/replica-group.ts';
import { createStubbornClient, type Insist } from '../server/replicas/torture/stubborn-client.ts';
import {
  newPlan,
  openRound,
  type Plan,
  readFigures,
  typeStubbornly,
  typeUndisturbed,
} from '../server/replicas/torture/tortured-typist.ts';
import { eventually } from '../support/redis/redis-process.ts';
import { type SentinelGroup, startSentinels } from '../support/redis/redis-sentinel.ts';
import { startTestServer } from '../support/test-server.ts';
import { createTally, say, type Tally } from './figures.ts';

// npm run soak -- --replicas 3 [minutes] [--failover 120] [--workers 2]: typists on several servers in turn, on a store
// with a primary and two replicas. Every so many seconds the primary is killed, and every minute the workers of one
// server are replaced, if it has any. Ends with 1 where anything happened that the contract does not allow for.

const typists = 100;
const secondsBetweenRolls = 60;
/** Milliseconds: a session that was opened in the last moment of a primary may be lost with it; its client learns so this much later at most. */
const failoverEffects = 30_000;
/** A failover may take back what was answered in its last moment; so often is a round made whole again before that is a fault. */
const maxRepairs = 3;

interface Soak {
  readonly group: ReplicaGroup;
  readonly tally: Tally;
  /** A server of its own with files, on which each round is typed undisturbed. */
  readonly calmPort: number;
  /** When to stop beginning rounds, by `performance.now`. */
  readonly end: number;
  /** When a primary was killed last, by `performance.now`. */
  failedAt: number;
}

export async function soakReplicas(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      replicas: { type: 'string', default: '3' },
      failover: { type: 'string', default: '120' },
      workers: { type: 'string', default: '1' },
    },
  });
  const [minutes, replicas, failover, workers] = [
    ...[positionals[0] ?? 10, values.replicas, values.failover, values.workers].map(Number),
  ] as [number, number, number, number];
  if (!(minutes > 0 && replicas >= 1 && failover >= 1 && workers >= 1))
    throw new Error('Give minutes, replicas, seconds between failovers and workers as numbers above 0.');
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-soak-replicas-'));
  const calm = await startTestServer();
  let sentinels: SentinelGroup | undefined;
  let group: ReplicaGroup | undefined;
  try {
    sentinels = await startSentinels(join(dir, 'sentinels'), ['--appendonly', 'yes']);
    const ofWorkers = workers > 1 ? ['--workers', String(workers)] : [];
    group = await startReplicas(dir, replicas, ['--store', sentinels.url, ...ofWorkers]);
    const tally = createTally();
    const end = performance.now() + minutes * 60_000;
    const soak: Soak = { group, tally, calmPort: calm.port, end, failedAt: Number.NEGATIVE_INFINITY };
    const running = Array.from({ length: typists }, (_, at) => runTypist(soak, at));
    await Promise.all([
      ...running,
      failOver(sentinels, soak, failover),
      ...(workers > 1 ? [roll(soak)] : []),
    ]);
    process.stdout.write(`# Soak: ${minutes} minutes of servers with one store\n\n${tally.text()}\n`);
    if (tally.faultCount() > 0) process.exitCode = 1;
  } finally {
    await calm.close();
    await group?.close();
    await sentinels?.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Kills the primary, waits for the next one, and starts the old one again: the sentinels make it a replica. */
async function failOver(sentinels: SentinelGroup, soak: Soak, seconds: number): Promise<void> {
  const { end, tally } = soak;
  while (performance.now() + seconds * 1000 <= end) {
    await pause(seconds * 1000);
    const primary = await sentinels.primary();
    const start = performance.now();
    soak.failedAt = start;
    await primary.kill();
    await eventually(async () => (await sentinels.primary()) !== primary);
    await eventually(async () =>
      String(await (await sentinels.primary()).command('INFO', 'replication')).includes('role:master'),
    );
    tally.record('failover', performance.now() - start);
    say(`failed over in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    await primary.start();
    await eventually(async () =>
      String(await primary.command('INFO', 'replication')).includes('master_link_status:up'),
    );
  }
}

/** Replaces the workers of one server after the other. */
async function roll({ group, tally, end }: Soak): Promise<void> {
  for (let at = 0; performance.now() + secondsBetweenRolls * 1000 < end; at += 1) {
    await pause(secondsBetweenRolls * 1000);
    const start = performance.now();
    await group.roll(at % group.ports().length);
    tally.record('workers replaced', performance.now() - start);
    say(`replaced the workers of server ${at % group.ports().length}`);
  }
}

/** Types one round after the other, each as a new player, and compares all that the servers say of it with an undisturbed run. */
async function runTypist(soak: Soak, number: number): Promise<void> {
  const { group, tally } = soak;
  while (performance.now() < soak.end) {
    try {
      const plan = newPlan(number);
      const insist = createStubbornClient({ nextPort: group.nextPort, key: plan.key });
      const timed: Insist = async (method, path, body, headers) => {
        const start = performance.now();
        const answer = await insist(method, path, body, headers);
        tally.record(path.split('/').at(-1) ?? '', performance.now() - start);
        return answer as never;
      };
      await playRound(soak, timed, plan);
    } catch (error) {
      const isLost = /SESSION_NOT_FOUND|ROUND_NOT_STARTED/.test((error as Error).message);
      if (isLost && performance.now() - soak.failedAt < failoverEffects)
        tally.record('session lost with its primary', 0);
      else tally.fault((error as Error).message.slice(0, 300).replaceAll(/[0-9a-f]{32}/g, '<id>'));
      await pause(500);
    }
  }
}

const paceOf = (isRushed: boolean) => ({ isRushed: () => isRushed, mayFinish: () => true });

async function playRound({ tally, calmPort }: Soak, insist: Insist, plan: Plan): Promise<void> {
  const [results, owed] = await typeUndisturbed(calmPort, plan);
  const id = await openRound(insist, plan);
  let { lost } = await typeStubbornly(insist, id, plan, results, paceOf(false));
  for (let repairs = 0; ; repairs += 1) {
    const found = await readFigures(insist, id);
    if (isDeepStrictEqual(found, owed)) break;
    if (repairs === maxRepairs) throw new Error(`another round: ${JSON.stringify(found)}`);
    tally.record('round repaired', 0);
    await pause(1_000);
    lost += (await typeStubbornly(insist, id, plan, results, paceOf(true))).lost;
  }
  tally.record('round compared', 0);
  for (; lost > 0; lost -= 1) tally.record('key sent again', 0);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ReplicaGroup, startReplicas } from '../../server/replicas/torture/replica-group.ts';
import { eventually } from '../../support/redis/redis-process.ts';
import { type SentinelGroup, startSentinels } from '../../support/redis/redis-sentinel.ts';
import { tallyText } from '../figures/report.ts';
import { createTally } from '../figures/tally.ts';
import { pause } from '../world.ts';
import { closeUndisturbed, runStubbornTypist, type StubbornWorld } from './stubborn-typists.ts';

// npm run soak -- --replicas 3 [minutes] [--failover 120] [--workers 2 --roll 60] [--typists 100]: typists on several
// servers in turn, on a store with a primary and two replicas. Every so many seconds the primary is killed, and the
// workers of one server are replaced. Ends with 1 where anything happened that the contract does not allow for.

const say = (text: string) => process.stderr.write(`${text}\n`);

export async function soakReplicas(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      replicas: { type: 'string', default: '3' },
      failover: { type: 'string', default: '120' },
      workers: { type: 'string' },
      roll: { type: 'string', default: '60' },
      typists: { type: 'string', default: '100' },
    },
  });
  const minutes = Number(positionals[0] ?? 10);
  const numbers = [values.replicas, values.failover, values.workers ?? 1, values.roll, values.typists].map(
    Number,
  );
  if (!(minutes > 0) || numbers.some((number) => !(number >= 1)))
    throw new Error(
      'Give minutes, replicas, seconds between failovers, workers and typists as numbers above 0.',
    );
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-soak-replicas-'));
  let sentinels: SentinelGroup | undefined;
  let group: ReplicaGroup | undefined;
  try {
    sentinels = await startSentinels(join(dir, 'sentinels'), ['--appendonly', 'yes']);
    const workers = values.workers === undefined ? [] : ['--workers', values.workers];
    const options = ['--store', sentinels.url, ...workers];
    group = await startReplicas(dir, Number(values.replicas), options);
    const tally = createTally((what) => say(`not owed: ${what}`));
    const world: StubbornWorld = {
      nextPort: group.nextPort,
      tally,
      end: performance.now() + minutes * 60_000,
      failedAt: Number.NEGATIVE_INFINITY,
    };
    const typing = Array.from({ length: Number(values.typists) }, (_, at) => runStubbornTypist(world, at));
    const troubles = [failOver(sentinels, world, Number(values.failover))];
    if (values.workers !== undefined) troubles.push(rollAll(group, world, Number(values.roll)));
    await Promise.all([...typing, ...troubles]);
    const title = `# Soak: ${minutes} minutes of servers with one store`;
    process.stdout.write(`${title}\n\n${tallyText(tally.report())}\n`);
    if (tally.faultCount() > 0) process.exitCode = 1;
  } finally {
    await closeUndisturbed();
    await group?.close();
    await sentinels?.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Kills the primary, waits for the next one, and starts the old one again: the sentinels make it a replica. */
async function failOver(sentinels: SentinelGroup, world: StubbornWorld, seconds: number): Promise<void> {
  const { end, tally } = world;
  for (;;) {
    if (performance.now() + seconds * 1000 > end) return;
    await pause(seconds * 1000);
    const primary = await sentinels.primary();
    const start = performance.now();
    world.failedAt = start;
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
async function rollAll(group: ReplicaGroup, { end, tally }: StubbornWorld, seconds: number): Promise<void> {
  for (let at = 0; performance.now() + seconds * 1000 < end; at++) {
    await pause(seconds * 1000);
    const start = performance.now();
    await group.roll(at % group.ports().length);
    tally.record('workers replaced', performance.now() - start);
    say(`replaced the workers of server ${at % group.ports().length}`);
  }
}

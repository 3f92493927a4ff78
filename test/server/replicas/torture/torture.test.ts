import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type * as wire from '../../../../src/contract/answer-types.ts';
import { parseStoreUrl } from '../../../../src/server/settings/store-url.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../../../support/redis/redis-process.ts';
import { type SentinelGroup, startSentinels } from '../../../support/redis/redis-sentinel.ts';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.ts';
import { startTestServer } from '../../../support/test-server.ts';
import { openBusySite, readClicks, readIds, timeChanges } from './busy-site.ts';
import { type ReplicaGroup, startReplicas } from './replica-group.ts';
import { createStubbornClient } from './stubborn-client.ts';
import {
  type Figures,
  newPlan,
  openRound,
  type Plan,
  readFigures,
  typeStubbornly,
  typeUndisturbed,
} from './tortured-typist.ts';

// 100 typists on three servers in turn, while servers and store are killed, stopped and cut off. Real processes all.

const plans = Array.from({ length: 100 }, (_, number) => newPlan(number));
const patience = 900_000;
/** Keeps every key that it has answered, also when it is killed. */
const lossless = ['--appendonly', 'yes', '--appendfsync', 'always'];

describe.skipIf(!hasRedis)('three servers with one store, and 100 typists who do not give up', () => {
  let dir: string;
  let replicas: ReplicaGroup | undefined;
  const ends: (() => Promise<void>)[] = [];
  const ending = <T>(thing: T, end: (thing: T) => Promise<void>): T => {
    ends.unshift(() => end(thing));
    return thing;
  };
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-torture-'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await rm(dir, { recursive: true, force: true });
  });

  const startGroup = async (url: string) => {
    replicas = await startReplicas(dir, 3, ['--store', url]);
    return ending(replicas, (group) => group.close());
  };

  /**
   * Lets the typists type while `trouble` happens, and then to the end. Resolves to the keys that had to be sent again.
   * A store that loses what it has acknowledged may lose a finished round, which nobody types again: there the typists
   * finish afterwards, however slow the machine is.
   */
  const torture = async (group: ReplicaGroup, trouble: () => Promise<void>, mayLose: boolean) => {
    const owed = await typeAllUndisturbed();
    let isOver = false;
    const pace = { isRushed: () => isOver, mayFinish: () => isOver || !mayLose };
    const clients = plans.map(({ key }) => createStubbornClient({ nextPort: group.nextPort, key }));
    const clientOf = (at: number) => clients[at] as (typeof clients)[number];
    const ids = await Promise.all(plans.map((plan, at) => openRound(clientOf(at), plan)));
    const typing = Promise.all(
      plans.map((plan, at) =>
        typeStubbornly(clientOf(at), ids[at] as string, plan, owed[at]?.[0] ?? [], pace),
      ),
    );
    const troubled = trouble().finally(() => {
      isOver = true;
    });
    const [reports] = await Promise.all([typing, troubled]);
    const found = await Promise.all(ids.map((id, at) => readFigures(clientOf(at), id)));
    for (const [at, figures] of found.entries()) expect(figures).toEqual(owed[at]?.[1]);
    return reports.reduce((sum, { lost }) => sum + lost, 0);
  };

  const typeAllUndisturbed = async (): Promise<[wire.InputResult[], Figures][]> => {
    const server = await startTestServer();
    try {
      return await Promise.all(plans.map((plan: Plan) => typeUndisturbed(server.port, plan)));
    } finally {
      await server.close();
    }
  };

  test(
    'servers and store are killed and suspended, the connection is cut, held and slow: no key, change or click is lost or counts twice',
    async () => {
      const redis: RedisProcess = ending(await startRedis(join(dir, 'redis'), lossless), (server) =>
        server.kill(),
      );
      const line: TcpProxy = ending(await startTcpProxy(redis.port), (proxy) => proxy.close());
      const group = await startGroup(`redis://127.0.0.1:${line.port}`);
      const site = await openBusySite(group, redis.url);
      const lost = await torture(
        group,
        async () => {
          await sleep(500);
          line.delay(100);
          await sleep(500);
          line.mend();
          await group.kill(0);
          await group.start(0);
          line.cut();
          await sleep(300);
          line.mend();
          group.freeze(1);
          await sleep(500);
          line.hold();
          await sleep(1_000);
          line.mend();
          group.thaw(1);
          redis.freeze();
          await sleep(1_500);
          redis.thaw();
          await group.kill(2);
          await redis.kill();
          await sleep(300);
          await redis.start();
          await group.start(2);
          await group.kill(1);
          await group.start(1);
        },
        false,
      );
      expect(lost).toBe(0);
      const { published, clicks } = await site.stop();
      for (const port of group.ports())
        await eventually(async () => {
          const ids = await readIds(port);
          const ours = ids.filter((id) => published.includes(id) || id.startsWith('torture-'));
          return isDeepStrictEqual(ours.sort(), published);
        });
      const address = parseStoreUrl(redis.url);
      await eventually(async () => (await readClicks(address)) >= clicks.owed);
      expect(await readClicks(address)).toBeLessThanOrEqual(clicks.sent);
      const times = await timeChanges(group, redis.url);
      console.info(
        `${published.length} changes during the trouble; later ones were everywhere after ${times.map(Math.round).join(', ')} ms`,
      );
    },
    patience,
  );

  test(
    'a Sentinel failover: keys that the new primary lacks are sent again, and nothing counts twice',
    async () => {
      const sentinels: SentinelGroup = ending(await startSentinels(join(dir, 'sentinels')), (all) =>
        all.kill(),
      );
      const group = await startGroup(sentinels.url);
      await torture(
        group,
        async () => {
          await sleep(500);
          const primary = await sentinels.primary();
          await primary.kill();
          await eventually(async () => (await sentinels.primary()) !== primary);
          await eventually(async () => {
            const info = await (await sentinels.primary()).command('INFO', 'replication');
            return String(info).includes('role:master');
          });
          await sleep(500);
        },
        true,
      );
    },
    patience,
  );

  test(
    'a failover to a lagging replica: clients send the missing keys again, and the results are unaffected',
    async () => {
      const primary = ending(await startRedis(join(dir, 'primary')), (server) => server.kill());
      const between = ending(await startTcpProxy(primary.port), (proxy) => proxy.close());
      const replica = ending(
        await startRedis(join(dir, 'replica'), ['--replicaof', '127.0.0.1', String(between.port)]),
        (server) => server.kill(),
      );
      const line = ending(await startTcpProxy(primary.port), (proxy) => proxy.close());
      await eventually(async () =>
        String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
      );
      const group = await startGroup(`redis://127.0.0.1:${line.port}`);
      const lost = await torture(
        group,
        async () => {
          const offsetOf = async (server: RedisProcess) =>
            Number(/master_repl_offset:(\d+)/.exec(String(await server.command('INFO', 'replication')))?.[1]);
          await eventually(async () => (await offsetOf(replica)) === (await offsetOf(primary)));
          between.hold();
          const before = await offsetOf(primary);
          await eventually(async () => (await offsetOf(primary)) > before + 50_000);
          await primary.kill();
          between.cut();
          await replica.command('REPLICAOF', 'NO', 'ONE');
          line.redirect(replica.port);
          line.cut();
          line.mend();
          await sleep(500);
        },
        true,
      );
      expect(lost).toBeGreaterThan(0);
    },
    patience,
  );
});

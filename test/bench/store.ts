import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseStoreUrl } from '../../src/server/settings/store-url.ts';
import { createFileRecords } from '../../src/server/stores/records/file-records.ts';
import type { Records } from '../../src/server/stores/records/records.ts';
import { createRedisRecords } from '../../src/server/stores/records/redis-records.ts';
import { openConnection, waitForAnswer } from '../../src/server/stores/records/store-connection.ts';
import { hasRedis, startRedis } from '../support/redis/redis-process.ts';
import { comparisonTable, measureInTurn } from './comparison.ts';
import { atMost, median, medianCost, type Report, toTable } from './report.ts';
import { runOnCore, type Serving, serveTypebadge } from './serving.ts';
import { putManyRounds } from './start-up.ts';
import { manySessions, typingTarget } from './typing-api.ts';

/** What a key costs on a shared store, beside files, and how much more three servers take than one. */
export async function benchStore(rounds: number, seconds = 1, history = 100_000): Promise<Report> {
  if (!hasRedis) return { text: 'Left out: redis-server is not installed.', aims: [] };
  const dir = await mkdtemp(join(tmpdir(), 'store-'));
  const redis = await startRedis(join(dir, 'redis'), ['--appendonly', 'yes']);
  process.once('exit', () => void redis.kill());
  const enginePid = Number(/process_id:(\d+)/.exec(String(await redis.command('INFO', 'server')))?.[1]);
  const files = await serveTypebadge(join(dir, 'files'), manySessions);
  const replicas: Serving[] = [];
  for (const at of [0, 1, 2])
    replicas.push(await serveTypebadge(join(dir, `data-${at}`), [...manySessions, '--store', redis.url]));
  const onStore = (name: string, servings: readonly Serving[], isInTurn = false) =>
    typingTarget(name, servings, { isInTurn, pids: [...servings.map(({ pid }) => pid), enginePid] });
  const targets = [
    typingTarget('files, 1 server', [files]),
    onStore('Redis, 1 server', replicas.slice(0, 1)),
    onStore('Redis, 3 servers, sticky', replicas),
    onStore('Redis, 3 servers, each key to the next', replicas, true),
  ];
  await measureInTurn(targets, rounds, seconds);
  for (const serving of [files, ...replicas]) serving.stop();

  const connection = await openConnection(parseStoreUrl(redis.url));
  await waitForAnswer(connection, 5_000);
  const onFiles = await weighEngine(createFileRecords({ dir: join(dir, 'records') }), 10_000);
  const onRedis = await weighEngine(createRedisRecords(connection, { prefix: 'alone' }), 1_000);
  await redis.kill();
  await putManyRounds(join(dir, 'long'), history);
  const firstHistories: number[] = [];
  for (let time = 0; time < 3; time += 1)
    firstHistories.push(await runOnCore(0, 'peers/first-history.ts', [join(dir, 'long')]));
  const text = [
    `32 typists, one request a key, ${rounds} alternating rounds of ${seconds} s. All servers share core 0; the load and Redis (append-only file, written each second) share the rest, so more servers cannot be faster here. Processor time is that of servers and engine.`,
    comparisonTable('keys', targets),
    toTable(
      ['the engine alone', 'µs of processor time a key', 'ms a round, forced to disk'],
      [
        ['files', onFiles.key.toFixed(1), onFiles.forced.toFixed(2)],
        ['Redis', onRedis.key.toFixed(1), onRedis.forced.toFixed(2)],
      ],
    ),
  ].join('\n\n');
  const aims = [
    atMost('files: processor time of a keystroke', onFiles.key, 8, 'µs'),
    atMost('files: a change forced to disk', onFiles.forced, 0.5, 'ms'),
    atMost('processor time of the first history of 100,000 rounds', median(firstHistories), 10, 'ms'),
  ];
  return { text, aims };
}

/** An engine without a server: keys of 32 sessions one after the other, and rounds of 1,500 bytes. */
async function weighEngine(records: Records, keys: number): Promise<{ key: number; forced: number }> {
  const change = { append: { inputs: '["h",12345,678]' }, ttl: 86_400_000 };
  const key = await medianCost(keys, async () => {
    for (let at = 0; at < keys; at += 1) await records.commit(`session/${at % 32}`, change);
  });
  const durations: number[] = [];
  for (let at = 0; at < 300; at += 1) {
    const start = performance.now();
    await records.commit('rounds/one', { push: ['x'.repeat(1_500)], durable: true });
    durations.push(performance.now() - start);
  }
  await records.close();
  return { key, forced: median(durations) };
}

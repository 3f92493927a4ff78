import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseStoreUrl, type RedisAddress } from '../../src/server/settings/store-url.ts';
import { createFileRecords } from '../../src/server/stores/records/file-records.ts';
import type { Records } from '../../src/server/stores/records/records.ts';
import { createRedisRecords } from '../../src/server/stores/records/redis-records.ts';
import { openConnection, waitForAnswer } from '../../src/server/stores/records/store-connection.ts';
import { hasRedis, type RedisProcess, startRedis } from '../support/redis/redis-process.ts';
import { createTypingClient, flawless } from '../support/typing-client.ts';
import { putManyRounds } from './full-folders.ts';
import { onCore } from './load.ts';
import { type Report, toCount, toTable } from './report.ts';
import { type Serving, serve } from './serving.ts';
import { median, spread } from './statistics.ts';
import type { TypingLoadResult } from './typing-load.ts';

const run = promisify(execFile);
const typists = 32;
const sessions = 500;
const longHistory = 100_000;

/** Servers that are typed at, and how the typists go to them. */
interface Setting {
  readonly name: string;
  readonly servers: readonly Serving[];
  /** Whether a typist stays with one server. */
  readonly way: 'sticky' | 'in turn';
  readonly results: Result[];
}

interface Result extends TypingLoadResult {
  /** Microseconds of processor time a key: of the servers, and of the engine. */
  readonly serverCost: number;
  readonly engineCost: number;
}

/** What a key costs on a shared store, beside files, and how much more three servers take than one. */
export async function benchStore(rounds: number, seconds = 1): Promise<Report> {
  if (!hasRedis) return { text: 'Left out: redis-server is not installed.', aims: [] };
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-bench-store-'));
  const redis = await startRedis(join(dir, 'redis'), ['--appendonly', 'yes']);
  const enginePid = Number(/process_id:(\d+)/.exec(String(await redis.command('INFO', 'server')))?.[1]);
  const files = await serve('./peers/typebadge-typing.ts');
  const replicas: Serving[] = [];
  for (const at of [0, 1, 2])
    replicas.push(await serve('./peers/typebadge-typing.ts', [join(dir, `data-${at}`), redis.url]));
  const one = replicas.slice(0, 1);
  const settings: Setting[] = [
    { name: 'files, 1 server', servers: [files], way: 'sticky', results: [] },
    { name: 'Redis, 1 server', servers: one, way: 'sticky', results: [] },
    { name: 'Redis, 2 servers, sticky', servers: replicas.slice(0, 2), way: 'sticky', results: [] },
    { name: 'Redis, 3 servers, sticky', servers: replicas, way: 'sticky', results: [] },
    { name: 'Redis, 3 servers, each key to the next', servers: replicas, way: 'in turn', results: [] },
  ];
  try {
    const perSession = await weighSession(redis, one[0] as Serving);
    for (let round = 0; round <= rounds; round += 1) {
      for (const setting of settings) {
        const result = await type(setting, enginePid, seconds);
        if (round > 0) setting.results.push(result); // the first warms up
      }
    }
    const alone = await enginesAlone(join(dir, 'records'), redis.url);
    const firstHistory = await weighFirstHistory(join(dir, 'long'));
    const aims = [
      { what: 'files: processor time of a keystroke', value: alone.files.key, unit: 'µs', atMost: 8 },
      { what: 'files: a change forced to disk', value: alone.files.forced, unit: 'ms', atMost: 0.5 },
      {
        ...{ what: `processor time of the first history of ${toCount(longHistory)} rounds` },
        ...{ value: firstHistory, unit: 'ms', atMost: 10 },
      },
    ];
    return { text: `${toText(settings, perSession, rounds, seconds)}\n\n${aloneText(alone)}`, aims };
  } finally {
    await Promise.all([files, ...replicas].map((serving) => serving.stop()));
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

async function type({ servers, way }: Setting, enginePid: number, seconds: number): Promise<Result> {
  const program = fileURLToPath(new URL('./typing-load.ts', import.meta.url));
  const [urls, pids] = [servers.map(({ url }) => url), servers.map(({ pid }) => pid)];
  const [command = '', ...rest] = [
    ...[...onCore(1), process.execPath, '--import', 'tsx', program],
    ...[urls.join(','), String(seconds), String(typists), '1', 'real', way, [...pids, enginePid].join(',')],
  ];
  const { stdout } = await run(command, rest, { maxBuffer: 1 << 24 });
  const result: TypingLoadResult = JSON.parse(stdout);
  return {
    ...result,
    serverCost: result.costs.slice(0, -1).reduce((sum, cost) => sum + cost, 0),
    engineCost: result.costs.at(-1) ?? Number.NaN,
  };
}

/** Bytes that the engine holds for a session in the middle of its round. */
async function weighSession(redis: RedisProcess, { url }: Serving): Promise<number> {
  const client = createTypingClient(Number(new URL(url).port));
  const before = await readStoreMemory(redis);
  for (let opened = 0; opened < sessions; opened += 1) {
    const id = await client.createSession();
    const events = flawless((await client.startRound(id)).words);
    await client.input(id, events.slice(0, events.length / 2));
  }
  return ((await readStoreMemory(redis)) - before) / sessions;
}

/** Bytes that the engine holds for its data. */
async function readStoreMemory(redis: RedisProcess): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(String(await redis.command('INFO', 'memory')))?.[1]);
}

interface EngineFigures {
  /** Microseconds of processor time of this process for a key that is added to a session. */
  readonly key: number;
  /** Milliseconds until a round of 1,500 bytes is forced to disk, or answered by the store: the median. */
  readonly forced: number;
}

/** The engines of records without a server: keys of 32 sessions one after the other, and rounds. */
async function enginesAlone(
  dir: string,
  url: string,
): Promise<{ files: EngineFigures; redis: EngineFigures }> {
  const connection = await openConnection({ address: parseStoreUrl(url) as RedisAddress });
  await waitForAnswer(connection, 5_000);
  const files = createFileRecords({ dir });
  const redis = createRedisRecords(connection, { prefix: 'alone' });
  const figures = { files: await weighEngine(files, 100_000), redis: await weighEngine(redis, 5_000) };
  await Promise.all([files.close(), redis.close()]);
  return figures;
}

/** Milliseconds of processor time of the first history that a process reads, of a player with many rounds. */
async function weighFirstHistory(dir: string): Promise<number> {
  await putManyRounds(dir, longHistory);
  const program = fileURLToPath(new URL('./peers/first-history.ts', import.meta.url));
  const costs: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', program, dir]);
    costs.push(Number(stdout));
  }
  return median(costs);
}

async function weighEngine(records: Records, keys: number): Promise<EngineFigures> {
  const type = async (count: number) => {
    for (let at = 0; at < count; at += 1)
      await records.commit(`session/${at % typists}`, {
        append: { inputs: '["h",12345,678]' },
        ttl: 86_400_000,
      });
  };
  await type(keys / 10);
  const before = process.cpuUsage();
  await type(keys);
  const { user, system } = process.cpuUsage(before);
  const durations: number[] = [];
  for (let at = 0; at < 300; at += 1) {
    const start = performance.now();
    await records.commit('rounds/one', { push: ['x'.repeat(1_500)], durable: true });
    durations.push(performance.now() - start);
  }
  return { key: (user + system) / keys, forced: median(durations) };
}

function aloneText({ files, redis }: { files: EngineFigures; redis: EngineFigures }): string {
  return toTable(
    ['the engine alone', 'µs of processor time a key', 'ms a round'],
    [
      ['files', files.key.toFixed(1), files.forced.toFixed(2)],
      ['Redis', redis.key.toFixed(1), redis.forced.toFixed(2)],
    ],
  );
}

function toText(settings: readonly Setting[], perSession: number, rounds: number, seconds: number): string {
  const rows = settings.map(({ name, results }) => {
    const figure = (pick: (result: Result) => number) => median(results.map(pick));
    return [
      name,
      toCount(figure(({ keysPerSecond }) => keysPerSecond)),
      spread(results.map(({ keysPerSecond }) => keysPerSecond)).toFixed(1),
      figure(({ p50 }) => p50).toFixed(1),
      figure(({ p99 }) => p99).toFixed(1),
      figure(({ serverCost }) => serverCost).toFixed(0),
      figure(({ engineCost }) => engineCost).toFixed(0),
      toCount(results.reduce((sum, { errors }) => sum + errors, 0)),
    ];
  });
  return [
    `${typists} typists, one request a key, ${rounds} alternating rounds of ${seconds} s. All servers share core 0; the load and Redis (append-only file, written each second) share the rest, so more servers cannot be faster here. Processor time says what machines of their own would take.`,
    toTable(
      ['', 'keys/s', '± %', 'p50 ms', 'p99 ms', 'µs a key, servers', 'µs a key, engine', 'errors'],
      rows,
    ),
    `A session in the middle of its round takes ${(perSession / 1024).toFixed(1)} KB of the engine's memory (${toCount(sessions)} of them).`,
  ].join('\n\n');
}

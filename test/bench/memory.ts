// What sessions and finished rounds take in memory, of the store's engine and of a server. Needs `node build.mjs` before.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseStoreUrl, type RedisAddress } from '../../src/server/settings/store-url.ts';
import { createRedisRecords } from '../../src/server/stores/records/redis-records.ts';
import { openConnection, untilAnswering } from '../../src/server/stores/records/store-connection.ts';
import { createRounds } from '../../src/server/stores/rounds.ts';
import { newStoredRound, toRoundId } from '../server/stores/stored-rounds.ts';
import { hasRedis, type RedisProcess, startRedis } from '../support/redis/redis-process.ts';
import { putRounds } from './full-folders.ts';
import { serve } from './serving.ts';
import { median } from './statistics.ts';
import { readStoreMemory, weighSession } from './store.ts';
import { weighServer } from './weigh-server.ts';

const players = 100;
const roundsOfPlayer = 100;
/** Rounds in the journal of a server; what a million take is calculated from these. */
const folded = 100_000;
const repeats = 3;

/** @returns lines of text, a figure each */
async function measureMemory(): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-bench-memory-'));
  try {
    return [
      ...(hasRedis ? await weighEngine(dir) : ['redis-server is not installed.']),
      await weighRounds(dir),
    ];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function weighEngine(dir: string): Promise<string[]> {
  const redis = await startRedis(join(dir, 'redis'));
  const server = await serve('./peers/typebadge-typing.ts', [join(dir, 'data'), redis.url]);
  try {
    const session = await weighSession(redis, server);
    const round = await weighStoredRound(redis);
    return [
      `A session in the middle of its round takes ${(session / 1024).toFixed(2)} KB of the engine (measured).`,
      `A finished round of 30 words takes ${(round / 1024).toFixed(2)} KB of the engine (measured with ${players * roundsOfPlayer} rounds of ${players} players).`,
    ];
  } finally {
    await server.stop();
    await redis.kill();
  }
}

async function weighStoredRound(redis: RedisProcess): Promise<number> {
  const store = await openConnection({ address: parseStoreUrl(redis.url) as RedisAddress });
  await untilAnswering(store, 60_000);
  const records = createRedisRecords(store, { prefix: 'memory' });
  const rounds = createRounds(records, { quota: 1e12, retention: undefined, clock: Date.now });
  const words = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? 'quiet' : 'morning'));
  const before = await readStoreMemory(redis);
  for (let player = 0; player < players; player += 1) {
    for (let at = 0; at < roundsOfPlayer; at += 1) {
      const round = newStoredRound(toRoundId(player * roundsOfPlayer + at), words);
      await rounds.add(`key-${String(player).padStart(64, '0')}`, round);
    }
  }
  const bytes = (await readStoreMemory(redis)) - before;
  await store.close();
  return bytes / (players * roundsOfPlayer);
}

/** The first start folds the rounds into a snapshot; later ones are what counts. */
async function weighRounds(dir: string): Promise<string> {
  const weigh = async (count: number) => {
    const data = join(dir, `rounds-${count}`);
    await putRounds(data, count);
    await weighServer(data);
    const weights: number[] = [];
    for (let times = 0; times < repeats; times += 1) weights.push(await weighServer(data));
    return median(weights);
  };
  const [none, many] = [await weigh(0), await weigh(folded)];
  const each = ((many - none) * 2 ** 20) / folded;
  return `A server takes ${none.toFixed(1)} MB without rounds and ${many.toFixed(1)} MB with ${folded}: ${each.toFixed(1)} bytes each (measured), so ${((each * 1e6) / 2 ** 20).toFixed(0)} MB for a million (calculated from ${folded}).`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log((await measureMemory()).join('\n'));

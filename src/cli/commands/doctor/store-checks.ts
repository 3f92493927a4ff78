import { type StoreAddress, toStoreText } from '../../../server/settings/store-url.ts';
import {
  openConnection,
  type StoreConnection,
  untilAnswering,
} from '../../../server/stores/redis/connection/connection.ts';
import { checkStore } from '../../../server/stores/redis/connection/store-check.ts';
import { createDocuments } from '../../../server/stores/redis/content/documents.ts';
import { createRedisContent, toContentName } from '../../../server/stores/redis/content/redis-content.ts';
import { type Finding, note, ok, problem, reasonOf } from './finding.ts';
import { checkTexts } from './folder-checks.ts';

/** Milliseconds that the store has to answer. */
const patience = 3_000;
/** Milliseconds by which the clocks of server and store may differ before it is worth a word. */
const clockTolerance = 2_000;

/** Whether the store answers, is new enough, keeps what it has, and has the same time. */
export async function checkStoreAt(
  address: StoreAddress,
  prefix: string,
  now: () => number,
): Promise<Finding[]> {
  const name = toStoreText(address);
  const store = await openConnection({ address });
  try {
    await untilAnswering(store, patience);
    const start = performance.now();
    const [seconds] = await store.run((client) => client.time());
    const trip = performance.now() - start;
    const warnings = await checkStore(store);
    return [
      ok('store', `${name} answers in ${trip.toFixed(1)} ms.`),
      ...warnings.map((warning) => note('store', warning)),
      ...compareClocks(Number(seconds) * 1000, now()),
      ...(await checkStoredContent(store, toContentName(name, prefix), prefix, now())),
    ];
  } catch (error) {
    const fix = 'Start it, correct --store, or check user name, password, TLS and firewall.';
    return [problem('store', `${name} cannot be used: ${reasonOf(error)}`, fix)];
  } finally {
    await store.close();
  }
}

/** A server with a store serves the content that is there, once there is some. */
async function checkStoredContent(
  store: StoreConnection,
  name: string,
  prefix: string,
  now: number,
): Promise<Finding[]> {
  const content = createRedisContent(createDocuments(store, prefix), { name });
  if ((await content.read('history.json')) === undefined) {
    return [ok('content', 'The store has none yet: the first server that starts fills it from its folder.')];
  }
  return checkTexts(content, 'the store, which takes precedence over the folder', now);
}

function compareClocks(theirs: number, ours: number): Finding[] {
  const apart = Math.abs(theirs - ours);
  if (apart <= clockTolerance) return [];
  const message = `The clocks of this machine and the store are ${Math.round(apart / 1000)} s apart.`;
  return [note('clock', message, 'Let a time service (NTP) set both.')];
}

import { type RedisAddress, toStoreText } from '../../../server/settings/store-url.ts';
import { createContentStore } from '../../../server/stores/content/content-store.ts';
import { type FoundCopy, findStoreCopy } from '../../../server/stores/files/store-copies.ts';
import { openConnection, untilAnswering } from '../../../server/stores/redis/connection/connection.ts';
import { checkStore } from '../../../server/stores/redis/connection/store-check.ts';
import { isDenied } from '../../../server/stores/redis/connection/store-problem.ts';
import { findTlsProblem } from '../../../server/stores/redis/connection/tls-problem.ts';
import { createDocuments } from '../../../server/stores/redis/content/documents.ts';
import { createRedisContent, toContentName } from '../../../server/stores/redis/content/redis-content.ts';
import { checkTexts } from './content-checks.ts';
import { type Finding, note, ok, problem, reasonOf } from './finding.ts';

/** Milliseconds that the store has to answer. */
const patience = 3_000;
/** Milliseconds by which the clocks of server and store may differ before it is worth a note. */
const clockTolerance = 2_000;

const inStore = 'the store, which takes precedence over the folder';
const emptyStore = ok(
  'content',
  'The store has none yet: the first server that starts fills it from its folder.',
);

export interface StoreFindings {
  readonly findings: readonly Finding[];
  /** Whether servers with this store read their content from there. */
  readonly hasContent: boolean;
}

export interface StoreCheckOptions {
  readonly address: RedisAddress;
  readonly prefix: string;
  /** Where a server may have left a copy of the store's content. */
  readonly dataDir: string;
  readonly now: () => number;
}

/** Whether the store answers, is new enough, keeps what it has, and has the same time. */
export async function checkStoreAt(options: StoreCheckOptions): Promise<StoreFindings> {
  const { address, prefix, dataDir, now } = options;
  const name = toStoreText(address);
  const store = await openConnection({ address });
  try {
    await untilAnswering(store, patience);
    const start = performance.now();
    const [seconds] = await store.run((client) => client.time());
    const trip = performance.now() - start;
    const warnings = await checkStore(store);
    const content = createRedisContent(createDocuments(store, prefix), { name: toContentName(name, prefix) });
    const hasContent = (await content.read('history.json')) !== undefined;
    const findings = [
      ok('store', `${name} answers in ${trip.toFixed(1)} ms.`),
      ...warnings.map((warning) => note('store', warning)),
      ...compareClocks(Number(seconds) * 1000, now()),
      ...(hasContent
        ? await checkTexts(content, inStore, now())
        : await checkCopy(await findStoreCopy({ dataDir, original: content.name }), now())),
    ];
    return { findings, hasContent };
  } catch (error) {
    const message = `${name} cannot be used: ${reasonOf(error)}`;
    return { findings: [problem('store', message, fixOf(error))], hasContent: false };
  } finally {
    await store.close();
  }
}

/** A store is only called empty where nothing says that it once was not. */
async function checkCopy(copy: FoundCopy | undefined, now: number): Promise<Finding[]> {
  if (copy === undefined) return [emptyStore];
  const { content, changed } = copy;
  const wrong = (await checkTexts(content, '', now)).filter(({ state }) => state === 'problem');
  if (wrong.length > 0) return wrong;
  const { announcements } = await createContentStore(content).readHistory();
  const message = `The store has none, although it had: ${content.name} is a copy of it, last changed at ${changed.toISOString()}, with ${announcements.length} announcements.`;
  const fix = `Restore the store's backup, or start one server, which fills the store from its copy. To begin from the content folder instead, move ${content.name} away first.`;
  return [problem('content', message, fix)];
}

/** The sentences about certificates say themselves what to do. */
function fixOf(error: unknown): string | undefined {
  if (isDenied(error))
    return 'Check the user name in --store, and the password in TYPEBADGE_STORE_PASSWORD or its file.';
  const { cause } = Object(error) as { cause?: unknown };
  if (findTlsProblem(cause) !== undefined) return undefined;
  return 'Start it, correct --store, or check network and firewall.';
}

function compareClocks(theirs: number, ours: number): Finding[] {
  const apart = Math.abs(theirs - ours);
  if (apart <= clockTolerance) return [];
  const message = `The clocks of this machine and the store are ${Math.round(apart / 1000)} s apart.`;
  return [note('clock', message, 'Let a time service (NTP) set both.')];
}

import { type RedisAddress, toStoreText } from '../../../server/settings/store-url.ts';
import { contentNameOf, createRecordContent } from '../../../server/stores/content/record-content.ts';
import { createRedisRecords } from '../../../server/stores/records/redis-records.ts';
import { checkStore } from '../../../server/stores/records/store-check.ts';
import { openConnection, untilAnswering } from '../../../server/stores/records/store-connection.ts';
import { findTlsProblem, isDenied } from '../../../server/stores/records/store-problem.ts';
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
  readonly now: () => number;
}

/** Whether the store answers, is new enough, keeps what it has, and has the same time. */
export async function checkStoreAt(options: StoreCheckOptions): Promise<StoreFindings> {
  const { address, prefix, now } = options;
  const name = toStoreText(address);
  const store = await openConnection({ address });
  try {
    await untilAnswering(store, patience);
    const start = performance.now();
    const [seconds] = await store.run((client) => client.time());
    const trip = performance.now() - start;
    const warnings = await checkStore(store);
    const content = createRecordContent(createRedisRecords(store, { prefix }), {
      name: contentNameOf(name, prefix),
    });
    const hasContent = (await content.read('history.json')) !== undefined;
    const findings = [
      ok('store', `${name} answers in ${trip.toFixed(1)} ms.`),
      ...warnings.map((warning) => note('store', warning)),
      ...compareClocks(Number(seconds) * 1000, now()),
      ...(hasContent ? await checkTexts(content, inStore, now()) : [emptyStore]),
    ];
    return { findings, hasContent };
  } catch (error) {
    const message = `${name} cannot be used: ${reasonOf(error)}`;
    return { findings: [problem('store', message, fixOf(error))], hasContent: false };
  } finally {
    await store.close();
  }
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

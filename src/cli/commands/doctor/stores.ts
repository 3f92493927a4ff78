import { type RedisAddress, toStoreText } from '../../../server/settings/store-url.ts';
import { checkStore } from '../../../server/stores/records/store-check.ts';
import { openConnection, untilAnswering } from '../../../server/stores/records/store-connection.ts';
import { findTlsProblem, isDenied } from '../../../server/stores/records/store-problem.ts';

import { createVisitedStore } from '../../desk/visited-store.ts';
import { capitalized, type Finding, note, ok, problem, reasonOf } from './finding.ts';
import { checkTexts } from './folders.ts';

/** Milliseconds that the store has to answer. */
const patience = 3_000;

export interface StoreFindings {
  readonly findings: readonly Finding[];
  /** Whether servers with this store read their content from there. */
  readonly hasContent: boolean;
}

export interface CheckedStore {
  readonly address: RedisAddress;
  readonly prefix: string;
  readonly now: number;
  /** See `ContentFolderOptions`. */
  readonly needsOrigins: boolean;
}

/** Whether the store answers, is new enough, keeps what it has, and has valid content. */
export async function checkStoreAt(options: CheckedStore): Promise<StoreFindings> {
  const { address } = options;
  const name = toStoreText(address);
  const store = await openConnection({ address });
  try {
    await untilAnswering(store, patience);
    const start = performance.now();
    await store.run((client) => client.ping());
    const found = [ok('store', `${name} answers in ${(performance.now() - start).toFixed(1)} ms.`)];
    const warnings = (await checkStore(store)).map((warning) => note('store', warning));
    const content = await readContent(options);
    return { ...content, findings: [...found, ...warnings, ...content.findings] };
  } catch (error) {
    const message = `${name} cannot be used: ${reasonOf(error)}`;
    return { findings: [problem('store', message, fixOf(error))], hasContent: false };
  } finally {
    await store.close();
  }
}

async function readContent(options: CheckedStore): Promise<StoreFindings> {
  const { address, prefix } = options;
  const { content } = createVisitedStore({ address, prefix, reason: '--store' });
  try {
    if ((await content.read('history.json')) !== undefined) {
      const reason = 'the store, which takes precedence over the folder';
      return { findings: await checkTexts(content, { ...options, reason }), hasContent: true };
    }
    const empty = 'The store has none yet: the first server that starts fills it from its folder.';
    return { findings: [ok('content', empty)], hasContent: false };
  } catch (error) {
    // It once had some.
    return { findings: [problem('content', `${capitalized(reasonOf(error))}.`)], hasContent: false };
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

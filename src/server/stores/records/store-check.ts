import type { StoreConnection } from './store-connection.ts';

const oldestVersion = 7;

/** What an operator should know about this store before it has data. Rejects if the store is too old. */
export async function checkStore(store: StoreConnection): Promise<string[]> {
  const info = parseInfo(await store.run((client) => client.info()));
  const version = info.get('valkey_version') ?? info.get('redis_version') ?? '0';
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new Error(`It is version ${version}; typebadge needs Redis ${oldestVersion}.0 or Valkey.`);
  }
  const warnings: string[] = [];
  const isSaved = info.get('aof_enabled') === '1' || (await settingOf(store, 'save')) !== '';
  if (!isSaved)
    warnings.push(
      'The store keeps nothing on disk: after a restart all of it is gone. Set "appendonly yes".',
    );
  const policy = info.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    warnings.push(
      `The store may drop data when it is full (maxmemory-policy ${policy}). Set "maxmemory-policy noeviction".`,
    );
  }
  return warnings;
}

function parseInfo(text: string): Map<string, string> {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const [name, value] = line.split(':');
      return name !== undefined && value !== undefined ? [[name, value] as const] : [];
    }),
  );
}

/** Undefined if the store does not tell, as hosted ones may not. */
async function settingOf(store: StoreConnection, name: string): Promise<string | undefined> {
  try {
    const [, value] = (await store.run((client) => client.config('GET', name))) as string[];
    return value;
  } catch {
    return undefined;
  }
}

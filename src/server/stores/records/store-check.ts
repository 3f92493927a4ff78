import type { StoreConnection } from './store-connection.ts';

const oldestVersion = 7;

/** Warnings about the store's configuration, a sentence each. Rejects if the store is too old. */
export async function checkStore(store: StoreConnection): Promise<string[]> {
  const info = await store.run((client) => client.info());
  const infoOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const version = infoOf('valkey_version') ?? infoOf('redis_version') ?? '0';
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new Error(`It is version ${version}; typebadge needs Redis ${oldestVersion}.0 or Valkey.`);
  }
  // Hosted stores may refuse this.
  const [, save] = (await store.run((client) => client.config('GET', 'save')).catch(() => [])) as string[];
  const warnings: string[] = [];
  if (infoOf('aof_enabled') !== '1' && save === '')
    warnings.push('The store saves nothing to disk: a restart loses everything. Set "appendonly yes".');
  const policy = infoOf('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    warnings.push(
      `The store may drop data when it is full (maxmemory-policy ${policy}). Set "maxmemory-policy noeviction".`,
    );
  }
  return warnings;
}

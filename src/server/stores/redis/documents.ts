import { createHash } from 'node:crypto';
import type { StoreConnection } from './connection.ts';
import { runScript, type Script } from './script.ts';

/** A whole text with the version that it is: a hash of it, so that the same text is the same version whatever happened between. */
export interface StoredDocument {
  readonly version: string;
  readonly text: string;
}

/** Texts that many servers read and few people change, such as the announcements. Every method rejects while the store is away. */
export interface Documents {
  read(name: string): Promise<StoredDocument | undefined>;
  /** The versions of several documents in one trip; undefined where there is none. */
  versions(names: readonly string[]): Promise<(string | undefined)[]>;
  /**
   * Replaces a document that still is what it was read as (undefined: that there was none). Resolves to the new version,
   * or to undefined, with nothing changed, where somebody else was faster.
   */
  replace(name: string, before: string | undefined, text: string): Promise<string | undefined>;
}

/** A reply that was lost may have been a success: the new version counts as one, too. */
const replaceScript: Script = {
  name: 'typebadgeReplaceDocument',
  keys: 1,
  lua: `
local version = redis.call('HGET', KEYS[1], ARGV[1] .. ':version')
if version == ARGV[3] then return 1 end
if (version or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1] .. ':version', ARGV[3], ARGV[1] .. ':text', ARGV[4])
return 1`,
};

export function createDocuments(store: StoreConnection, prefix: string): Documents {
  const key = `{${prefix}}:documents`;
  return {
    async read(name) {
      const [version, text] = await store.run((client) =>
        client.hmget(key, `${name}:version`, `${name}:text`),
      );
      return version == null || text == null ? undefined : { version, text };
    },
    async versions(names) {
      const fields = names.map((name) => `${name}:version`);
      const versions = await store.run((client) => client.hmget(key, ...fields));
      return versions.map((version) => version ?? undefined);
    },
    async replace(name, before, text) {
      const version = toVersion(text);
      const isReplaced = await runScript(store, replaceScript, key, name, before ?? '', version, text);
      return isReplaced === 1 ? version : undefined;
    },
  };
}

function toVersion(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Reads, changes and replaces until nobody else was faster; `change` may run several times. */
export async function updateDocument<T extends { readonly text?: string }>(
  documents: Documents,
  name: string,
  change: (text: string | undefined) => T,
): Promise<T> {
  for (;;) {
    const before = await documents.read(name);
    const outcome = change(before?.text);
    if (outcome.text === undefined || outcome.text === before?.text) return outcome;
    if ((await documents.replace(name, before?.version, outcome.text)) !== undefined) return outcome;
  }
}

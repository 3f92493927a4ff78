import { hashText } from '../../content/text-hash.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { onSoundKeys } from '../connection/damaged-keys.ts';
import { runScript, type Script } from '../connection/script.ts';

/** A whole text with its version: a hash, so that the same text always has the same version. */
export interface StoredDocument {
  readonly version: string;
  readonly text: string;
}

/** The state that a writer expects, and the new text. */
export interface Replacement {
  /** The version that was read; undefined: there was no text. */
  readonly before: string | undefined;
  readonly text: string;
  /** Identifies this attempt, so that it is executed only once even if it is resent after a lost reply. */
  readonly token: string;
}

/** Texts that are read by many servers and rarely changed, such as the announcements. Every method rejects while the store is away. */
export interface Documents {
  read(name: string): Promise<StoredDocument | undefined>;
  /** The versions of several documents in one round trip; undefined if there is none. */
  versions(names: readonly string[]): Promise<(string | undefined)[]>;
  /** Replaces a document if it is still the version that was read. False, with nothing changed, if somebody else was faster. */
  replace(name: string, replacement: Replacement): Promise<boolean>;
  /**
   * Adds those documents that do not exist yet; none at all if the main one exists. Returns whether it did.
   */
  fill(main: string, texts: Readonly<Record<string, string>>): Promise<boolean>;
}

/** How long a token is remembered; commands are resent within seconds. */
const tokenSeconds = 600;

/** KEYS: documents, token. ARGV: name, old version, new version, text, seconds that the token is remembered. */
const replaceScript: Script = {
  name: 'typebadgeReplaceDocument',
  keys: ['fields', 'text'],
  lua: `
if redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
local version = redis.call('HGET', KEYS[1], ARGV[1] .. ':version')
if (version or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1] .. ':version', ARGV[3], ARGV[1] .. ':text', ARGV[4])
redis.call('SET', KEYS[2], '1', 'EX', ARGV[5])
return 1`,
};

/** Of several servers that start at once, only one fills the store. ARGV: main document; name, version and text of each. */
const fillScript: Script = {
  name: 'typebadgeFillDocuments',
  keys: ['fields'],
  lua: `
if redis.call('HEXISTS', KEYS[1], ARGV[1] .. ':version') == 1 then return 0 end
for at = 2, #ARGV, 3 do
  if redis.call('HSETNX', KEYS[1], ARGV[at] .. ':version', ARGV[at + 1]) == 1 then
    redis.call('HSET', KEYS[1], ARGV[at] .. ':text', ARGV[at + 2])
  end
end
return 1`,
};

export function createDocuments(store: StoreConnection, prefix: string): Documents {
  const key = toDocumentsKey(prefix);
  const read = (...fields: string[]) =>
    onSoundKeys(store, [{ key, kind: 'fields' }], () => store.run((client) => client.hmget(key, ...fields)));
  return {
    async read(name) {
      const [version, text] = await read(`${name}:version`, `${name}:text`);
      return version == null || text == null ? undefined : { version, text };
    },
    async versions(names) {
      const fields = names.map((name) => `${name}:version`);
      const versions = await read(...fields);
      return versions.map((version) => version ?? undefined);
    },
    async replace(name, { before = '', text, token }) {
      const keys = [key, `${key}:token:${token}`] as const;
      const args = [name, before, await hashText(text), text, String(tokenSeconds)];
      return (await runScript(store, replaceScript, ...keys, ...args)) === 1;
    },
    async fill(main, texts) {
      const documents: string[] = [];
      for (const [name, text] of Object.entries(texts)) documents.push(name, await hashText(text), text);
      return documents.length > 0 && (await runScript(store, fillScript, key, main, ...documents)) === 1;
    },
  };
}

/** The key that contains all documents; also shown to people. */
export function toDocumentsKey(prefix: string): string {
  return `{${prefix}:documents}`;
}

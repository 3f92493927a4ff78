import { parseStore, parseStorePrefix } from '../../server/settings/config-parsers.ts';
import type { StoreAddress } from '../../server/settings/store-url.ts';
import { UsageError } from '../program/command-errors.ts';
import { withSecrets } from '../serving/store-secrets.ts';

/** Options that name a store. */
export interface StoreOptions {
  readonly store?: string;
  readonly storePrefix?: string;
}

/** A store that was named, with what its password file or variable holds. */
export interface NamedStore {
  readonly address: StoreAddress;
  readonly prefix: string;
  /** Why this one, for `--verbose`. */
  readonly reason: string;
}

const visiblePassword =
  'a password on the command line can be read by every user of this machine: set TYPEBADGE_STORE_PASSWORD or TYPEBADGE_STORE_PASSWORD_FILE instead';

/** The store of `--store`, or of TYPEBADGE_STORE where no folder is named; undefined where a folder is meant. */
export function storeOf(
  { store, storePrefix, content }: StoreOptions & { readonly content?: string },
  env: NodeJS.ProcessEnv,
): NamedStore | undefined {
  if (store !== undefined && content !== undefined)
    throw new UsageError('give --store or --content, not both: announcements are in one place');
  const url = store ?? (content === undefined ? env.TYPEBADGE_STORE || undefined : undefined);
  if (url === undefined) {
    if (storePrefix !== undefined) throw new UsageError('--store-prefix goes with --store');
    return undefined;
  }
  const address = checked(parseStore, url);
  if (store !== undefined && address.password !== undefined) throw new UsageError(visiblePassword);
  const prefix = checked(parseStorePrefix, storePrefix ?? (env.TYPEBADGE_STORE_PREFIX || 'typebadge'));
  return {
    address: withSecrets(address, env) ?? address,
    prefix,
    reason: store === undefined ? 'TYPEBADGE_STORE' : '--store',
  };
}

function checked<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

import type { ServeConfig } from '../../server/settings/config.ts';

const needsStore =
  '--workers needs --store, or --typing off: without a store, typing sessions live in the memory of one process.';
const visiblePassword =
  'a password on the command line can be read by every user of this machine: set TYPEBADGE_STORE_PASSWORD or TYPEBADGE_STORE_PASSWORD_FILE instead.';

/** Why settings that are right by themselves do not go together, as a sentence; undefined where they do. */
export function findSettingsProblem(
  { workers, typing, store }: ServeConfig,
  isStoreOnCommandLine: boolean,
): string | undefined {
  if (workers !== undefined && typing === 'on' && store === undefined) return needsStore;
  return isStoreOnCommandLine && store?.password !== undefined ? visiblePassword : undefined;
}

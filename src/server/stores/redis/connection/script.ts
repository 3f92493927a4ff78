import { type BareScript, runBareScript } from './bare-script.ts';
import type { StoreConnection } from './connection.ts';
import { type KeyKind, onSoundKeys } from './damaged-keys.ts';

/** A Lua script, which the store executes atomically. */
export interface Script extends BareScript {
  /** What belongs at each of its keys, which are all in one slot. */
  readonly keys: readonly KeyKind[];
}

/** Runs a script (see `runBareScript`). If one of its keys is damaged, that is set aside, and the script runs again. */
export function runScript(
  store: StoreConnection,
  script: Script,
  ...args: readonly string[]
): Promise<unknown> {
  const keys = script.keys.map((kind, at) => ({ key: args[at] as string, kind }));
  return onSoundKeys(store, keys, () => runBareScript(store, script, keys.length, args));
}

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Content, StoreUnavailableError } from '../../ports.ts';
import { isRefusal } from '../connection/store-problem.ts';
import type { Documents, Replacement } from './documents.ts';

export interface RedisContentOptions {
  /** Address of the store with its prefix, for people. */
  readonly name: string;
  /**
   * Milliseconds during which a replacement is resent if its reply was lost. For a server its clients retry, but for a command
   * nobody else does. Default: 0.
   */
  readonly patience?: number;
}

/** Most attempts: of two simultaneous editors, the slower one has to try again, but nobody loses this often. */
const mostTurns = 100;
const pause = 100;

/** The content of servers that share a store. Editors may change it simultaneously: every change is based on the one before. */
export function createRedisContent(
  documents: Documents,
  { name: store, patience = 0 }: RedisContentOptions,
): Content {
  const replace = async (name: string, replacement: Replacement) => {
    const deadline = performance.now() + patience;
    for (;;) {
      try {
        return await documents.replace(name, replacement);
      } catch (error) {
        if (isRefusal(error)) throw notChanged(error);
        if (performance.now() >= deadline) throw perhapsChanged(error);
        await sleep(pause);
      }
    }
  };
  return {
    kind: 'store',
    name: store,
    nameOf: (name) => `${name} of ${store}`,
    read: (name) => documents.read(name),
    async update(name, change) {
      for (let turn = 0; turn < mostTurns; turn += 1) {
        const before = await documents.read(name).catch((error) => Promise.reject(notChanged(error)));
        const { text, result } = await change(before?.text);
        if (text === undefined || text === before?.text) return result;
        const token = randomBytes(12).toString('base64url');
        if (await replace(name, { before: before?.version, text, token })) return result;
      }
      throw new StoreUnavailableError(
        `${name} of ${store} is being changed by others at the moment. Nothing was changed: try again.`,
      );
    },
    versions: (names) => documents.versions(names),
  };
}

const notChanged = (error: unknown) => withHint(error, 'Nothing was changed.');
const perhapsChanged = (error: unknown) =>
  withHint(error, 'Whether the change was made is not known: look before you try again.');

function withHint(error: unknown, hint: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new StoreUnavailableError(`${error.message} ${hint}`, { cause: error.cause });
}

/** Name of a store's content, for people. */
export function toContentName(store: string, prefix: string): string {
  return `${store} (${prefix})`;
}

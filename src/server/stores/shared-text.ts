import { createHash, randomBytes } from 'node:crypto';
import type { Awaitable, TextChange } from './content/content.ts';
import type { Records } from './records/records.ts';

/** A text that servers may share, such as what webhooks have seen and which deliveries are pending. */
export type SharedText = ReturnType<typeof createSharedText>;

/** The text in the record `text/<name>`. Each change is based on the one before, on any server. */
export function createSharedText(records: Records, name: string) {
  const id = `text/${name}`;
  const load = async () => {
    const { version, values } = await records.read(id, ['text']);
    return { version, text: values[0] };
  };
  return {
    read: async () => (await load()).text,
    /**
     * Applies `change` to the text atomically, and returns the result of its last run. It may run several
     * times, so it must have no effects. Text undefined, or the same text: nothing changes.
     */
    async update<T>(change: (text: string | undefined) => Awaitable<TextChange<T>>): Promise<T> {
      for (;;) {
        const before = await load();
        const { text, result } = await change(before.text);
        if (text === undefined || text === before.text) return result;
        const outcome = await records.commit(id, { if: before.version, put: { text }, durable: true });
        if ('version' in outcome) return result;
      }
    },
  };
}

/** Servers of one data folder that serve different content folders have an outbox each. */
export function outboxName(contentDir: string): string {
  return `webhooks-${createHash('sha256').update(contentDir).digest('hex').slice(0, 16)}`;
}

export const addressKeyName = 'address-key';

/**
 * The secret with which client addresses are hashed, created by the first server that needs it. All servers
 * of a store must use the same one, otherwise a client would be a different player on each of them.
 *
 * @param made put there if there is none: a copy of the one that the store has lost
 */
export function openAddressKey(records: Records, made = randomBytes(32).toString('hex')): Promise<string> {
  return createSharedText(records, addressKeyName).update((text = made) => ({ text, result: text }));
}

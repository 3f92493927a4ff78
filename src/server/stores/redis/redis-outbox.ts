import { randomBytes } from 'node:crypto';
import type { Outbox } from '../ports.ts';
import type { Documents } from './documents.ts';

const name = 'outbox.json';

/** The outbox of servers that share a store: each change is made on the one before, whoever is faster. */
export function createRedisOutbox(documents: Documents): Outbox {
  return {
    read: async () => (await documents.read(name))?.text,
    async update(change) {
      for (;;) {
        const before = await documents.read(name);
        const { text, result } = change(before?.text);
        if (text === undefined || text === before?.text) return result;
        const token = randomBytes(12).toString('base64url');
        if (await documents.replace(name, { before: before?.version, text, token })) return result;
      }
    },
    async setAside(text) {
      const aside = `${name}-damaged`;
      const before = await documents.read(aside);
      const token = randomBytes(12).toString('base64url');
      await documents.replace(aside, { before: before?.version, text, token });
      return `${aside} of the store`;
    },
  };
}

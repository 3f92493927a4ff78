import { randomBytes } from 'node:crypto';
import type { Outbox } from '../ports.ts';

/** Texts with versions: replacing one requires the version that was read. */
interface VersionedTexts {
  read(name: string): Promise<{ readonly version: string; readonly text: string } | undefined>;
  replace(
    name: string,
    replacement: { readonly before: string | undefined; readonly text: string; readonly token: string },
  ): Promise<boolean>;
}

const name = 'outbox.json';

/** The outbox of servers that share a store: every change is based on the one before, by compare-and-set. */
export function createDocumentOutbox(documents: VersionedTexts): Outbox {
  return {
    read: async () => (await documents.read(name))?.text,
    async update(change) {
      for (;;) {
        const before = await documents.read(name);
        const { text, result } = await change(before?.text);
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

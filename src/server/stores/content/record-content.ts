import type { Records } from '../records/records.ts';
import { isRefusal } from '../records/store-problem.ts';
import { type Content, type ContentName, createContent, notChanged, withHint } from './content.ts';

/**
 * The content of servers that share a store, a record for each text: `content/history`, whose lines are the
 * log, `content/origins` and `content/editors`.
 *
 * @param store name of the store, for people: its address with the prefix
 */
export function createRecordContent(records: Records, store: string): Content {
  return createContent({
    kind: 'store',
    name: store,
    nameOf: (name) => `${name} of ${store}`,
    async read(name) {
      const id = idOf(name);
      const { version, values, first, last } = await records.read(id, ['text']);
      const [text] = values;
      if (text === undefined) return undefined;
      const lines = await records.lines(id, first, last);
      return { version, text, log: lines.map((line) => `${line}\n`).join('') };
    },
    async write(name, before, text, added) {
      const push = added.split('\n').filter((line) => line !== '');
      const change = { if: before?.version ?? '', put: { text }, push, durable: true };
      try {
        return 'version' in (await records.commit(idOf(name), change));
      } catch (error) {
        throw withHint(error, isRefusal(error) ? notChanged : perhapsChanged);
      }
    },
    hasLost: async () => (await records.read(lostMark)).version !== '',
    async sayLost() {
      await records.commit(lostMark, { put: { at: new Date().toISOString() }, durable: true });
    },
    versionOf: async (name) => (await records.read(idOf(name))).version,
  });
}

/** Kept for ever: wherever there are announcements, it means nothing. */
const lostMark = 'content/lost';

function idOf(name: ContentName): string {
  return `content/${name.slice(0, -'.json'.length)}`;
}

const perhapsChanged = 'It is not known whether the change was made: check before you try again.';

/** Name of a store's content, for people. */
export function contentNameOf(store: string, prefix: string): string {
  return `${store} (${prefix})`;
}

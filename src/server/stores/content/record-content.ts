import { type RecordChange, type Records, StoreUnavailableError } from '../records/records.ts';
import { isRefusal } from '../records/store-problem.ts';
import type { Content, ContentName, ContentText } from './content.ts';

/** Maximum number of attempts: the slower of two editors tries again, but hardly ever so often. */
const maxAttempts = 100;

/**
 * The content of servers that share a store, a record for each text: `content/history`, whose lines are the
 * log, `content/origins` and `content/editors`. Editors may change it simultaneously: every change is based
 * on the one before.
 *
 * @param store name of the store, for people: its address with the prefix
 */
export function createRecordContent(records: Records, store: string): Content {
  const read = async (name: ContentName): Promise<ContentText | undefined> => {
    const id = idOf(name);
    const { version, values, first, last } = await records.read(id, ['text']);
    const text = values?.[0];
    if (text === undefined) return undefined;
    const lines = last < first ? [] : await records.lines(id, first, last);
    return { version, text, log: lines.map((line) => `${line}\n`).join('') };
  };
  const commit = async (name: ContentName, change: RecordChange) => {
    try {
      return 'version' in (await records.commit(idOf(name), change));
    } catch (error) {
      throw withHint(error, isRefusal(error) ? notChanged : perhapsChanged);
    }
  };
  return {
    kind: 'store',
    name: store,
    nameOf: (name) => `${name} of ${store}`,
    read,
    async update(name, change) {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const before = await read(name).catch((error) => Promise.reject(withHint(error, notChanged)));
        const { text, added = '', result } = await change(before?.text, before?.log ?? '');
        if (text === undefined || (text === before?.text && added === '')) return result;
        const push = added.split('\n').filter((line) => line !== '');
        if (await commit(name, { if: before?.version ?? '', put: { text }, push, durable: true }))
          return result;
      }
      throw new StoreUnavailableError(
        `${name} of ${store} is being changed by others at the moment. Nothing was changed: try again.`,
      );
    },
    versions: (names) =>
      Promise.all(
        names.map(async (name) => {
          const { version } = await records.read(idOf(name), []);
          return version === '' ? undefined : version;
        }),
      ),
  };
}

function idOf(name: ContentName): string {
  return `content/${name.slice(0, -'.json'.length)}`;
}

const notChanged = 'Nothing was changed.';
const perhapsChanged = 'It is not known whether the change was made: check before you try again.';

function withHint(error: unknown, hint: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new StoreUnavailableError(`${error.message} ${hint}`, { cause: error.cause });
}

/** Name of a store's content, for people. */
export function contentNameOf(store: string, prefix: string): string {
  return `${store} (${prefix})`;
}

import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RecordChange, type Records, StoreUnavailableError } from '../records/records.ts';
import { isRefusal } from '../records/store-problem.ts';
import type { Content, ContentName, ContentText } from './content.ts';

export interface RecordContentOptions {
  /** Name of the store, for people: its address with the prefix. */
  readonly name: string;
  /**
   * Milliseconds during which a change is sent again if its reply was lost. For a server its clients send
   * again, but for a command nobody else does. Default: 0.
   */
  readonly patience?: number;
}

/** Most attempts: of two editors at once, the slower one has to try again, but nobody loses this often. */
const maxAttempts = 100;
const pause = 100;
/** Names under which a record remembers changes, so that one that is sent again is made once. */
const writerNames = 256;

/**
 * The content of servers that share a store, a record for each text: `content/history`, whose lines are the
 * log, `content/origins` and `content/editors`. Editors may change it simultaneously: every change is based
 * on the one before.
 */
export function createRecordContent(
  records: Records,
  { name: store, patience = 0 }: RecordContentOptions,
): Content {
  const read = async (name: ContentName): Promise<ContentText | undefined> => {
    const id = idOf(name);
    const { version, values, first, last } = await records.read(id, ['text']);
    const text = values?.[0];
    if (text === undefined) return undefined;
    const lines = last < first ? [] : await records.lines(id, first, last);
    return { version, text, log: lines.map((line) => `${line}\n`).join('') };
  };
  const commit = async (name: ContentName, change: RecordChange) => {
    const deadline = performance.now() + patience;
    for (;;) {
      try {
        return 'version' in (await records.commit(idOf(name), change));
      } catch (error) {
        if (isRefusal(error)) throw withHint(error, notChanged);
        if (performance.now() >= deadline) throw withHint(error, perhapsChanged);
        await sleep(pause);
      }
    }
  };
  return {
    kind: 'store',
    name: store,
    nameOf: (name) => `${name} of ${store}`,
    read,
    async update(name, change) {
      let sent:
        | { readonly added: string; readonly result: Awaited<ReturnType<typeof change>>['result'] }
        | undefined;
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const before = await read(name).catch((error) => Promise.reject(withHint(error, notChanged)));
        // Sent again after a lost reply, and refused because somebody else has changed the text since.
        if (sent !== undefined && before?.log.includes(sent.added)) return sent.result;
        const { text, added = '', result } = await change(before?.text, before?.log ?? '');
        if (text === undefined || (text === before?.text && added === '')) return result;
        const once = {
          name: `writer-${randomInt(writerNames)}`,
          mark: randomBytes(9).toString('base64url'),
        };
        const push = added.split('\n').filter((line) => line !== '');
        if (await commit(name, { if: before?.version ?? '', once, put: { text }, push, durable: true }))
          return result;
        if (added !== '') sent = { added, result };
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
const perhapsChanged = 'Whether the change was made is not known: look before you try again.';

function withHint(error: unknown, hint: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new StoreUnavailableError(`${error.message} ${hint}`, { cause: error.cause });
}

/** Name of a store's content, for people. */
export function contentNameOf(store: string, prefix: string): string {
  return `${store} (${prefix})`;
}

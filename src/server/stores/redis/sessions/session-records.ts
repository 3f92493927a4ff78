import type { StoreConnection } from '../connection/connection.ts';
import { asideOf, sessionLifeAside } from '../connection/damaged-keys.ts';
import { runScript, type Script } from '../connection/script.ts';
import { isStoreFull } from '../connection/store-problem.ts';
import {
  addScript,
  createScript,
  deleteScript,
  lastUseScript,
  peekScript,
  readScript,
  setAsideScript,
  writeScript,
} from './record-scripts.ts';

/** A session in the store: a header that is replaced as a whole, and inputs that are appended to. */
export interface SessionRecord {
  /** Changes with each new header. Random instead of a counter, which could repeat after a failover. */
  readonly generation: string;
  readonly header: string;
  readonly inputs: string;
  /** Milliseconds since 1970. */
  readonly lastUsed: number;
}

/** What a server wants to write, and the state that it expects. */
export interface SessionWrite {
  readonly generation: string;
  /** Bytes of the inputs that the writer knows. */
  readonly from: number;
  /** Identifies this write, so that it is executed only once even if it is resent after a lost reply. */
  readonly token: string;
  /** Text to append to the inputs; with a header, the complete inputs. */
  readonly text: string;
  /** Missing: the header stays as it is. */
  readonly header?: string;
}

/** What a server knows of a session. */
export interface KnownRecord {
  readonly generation: string;
  readonly headerBytes: number;
  readonly inputBytes: number;
}

/** What the store has that a server did not know. */
export type RecordNews =
  /** These further inputs. */
  | { readonly kind: 'behind'; readonly tail: string }
  /** Another header than expected, or fewer inputs. */
  | { readonly kind: 'changed'; readonly record: SessionRecord }
  | { readonly kind: 'gone' };

/** With news, nothing was written. */
export type WriteOutcome = { readonly kind: 'written'; readonly generation: string } | RecordNews;

export type ReadOutcome = { readonly kind: 'same' } | RecordNews;

/** Sessions as records of the store. Every method rejects while the store is away. */
export interface SessionRecords {
  create(id: string, record: Omit<SessionRecord, 'lastUsed'>): Promise<void>;
  /**
   * Adds a session with its last use, atomically, unless one with this id exists; returns whether it did. If it is resent with
   * the same generation, it is added once, and the answer is the same.
   */
  add(id: string, record: SessionRecord): Promise<boolean>;
  /** Reads and renews; if the store is too full to renew, it only reads. */
  read(id: string): Promise<SessionRecord | undefined>;
  /** The same for a server with a copy: reads only what the copy lacks. */
  readNews(id: string, known: KnownRecord): Promise<ReadOutcome>;
  /** Reads without renewing. */
  peek(id: string): Promise<SessionRecord | undefined>;
  /** When a session was last used, in milliseconds since 1970. Reads nothing else, however large the session is. */
  lastUse(id: string): Promise<number | undefined>;
  /** Atomically compares, then writes and renews. */
  write(id: string, write: SessionWrite): Promise<WriteOutcome>;
  /** Removes a session, including damaged data that was set aside. Returns whether there was one. */
  delete(id: string): Promise<boolean>;
  /**
   * Sets aside a session that cannot be parsed, and reports the problem, unless it has another generation by now. Returns
   * whether it did; on a connection without `onDamage` it never does.
   */
  setAside(id: string, generation: string, problem: string): Promise<boolean>;
  /** Whether a session with this id was set aside. */
  isSetAside(id: string): Promise<boolean>;
}

type RecordReply = readonly [generation: string, header: string, inputs: string, used: string];
type NewsReply = null | readonly [2, tail: string] | readonly [3, ...RecordReply];
type ReadReply = readonly [1] | NewsReply;
type WriteReply = readonly [1, generation: string] | NewsReply;

export interface SessionRecordsOptions {
  readonly prefix: string;
  /** Milliseconds after which an unused session expires. */
  readonly ttl: number;
  /** Milliseconds since 1970. Default: the store's clock. */
  readonly clock?: (() => number) | undefined;
  /** Milliseconds after which the store itself removes an unused session, by its own clock. Default: the time to live. */
  readonly expiry?: number | undefined;
}

export function createSessionRecords(
  store: StoreConnection,
  { prefix, ttl, clock, expiry = ttl }: SessionRecordsOptions,
): SessionRecords {
  const keysOf = (id: string) => {
    const key = `${prefix}:session:{${id}}`;
    return [key, `${key}:inputs`] as const;
  };
  const withAside = (id: string) => [...keysOf(id), ...keysOf(id).map(asideOf)];
  const times = () => [String(ttl), clock === undefined ? '' : String(clock()), String(expiry)];
  const run = (script: Script, id: string, ...args: readonly string[]) =>
    runScript(store, script, ...keysOf(id), ...times(), ...args);
  const readWith = async (script: Script, id: string, known: KnownRecord): Promise<ReadOutcome> => {
    const { generation, headerBytes, inputBytes } = known;
    const reply = await run(script, id, generation, String(headerBytes), String(inputBytes));
    return toReadOutcome(reply as ReadReply);
  };
  const readNews = async (id: string, known: KnownRecord) => {
    try {
      return await readWith(readScript, id, known);
    } catch (error) {
      if (!isStoreFull(error)) throw error;
      return readWith(peekScript, id, known);
    }
  };

  return {
    async create(id, { generation, header, inputs }) {
      await run(createScript, id, generation, header, inputs);
    },
    add: async (id, { generation, header, inputs, lastUsed }) =>
      (await run(addScript, id, generation, header, inputs, String(lastUsed))) === 1,
    read: async (id) => recordOf(await readNews(id, nothingKnown)),
    readNews,
    peek: async (id) => recordOf(await readWith(peekScript, id, nothingKnown)),
    async lastUse(id) {
      const used = await run(lastUseScript, id);
      return used === null ? undefined : Number(used);
    },
    async write(id, { generation, from, token, text, header = '' }) {
      const reply = await run(writeScript, id, generation, String(from), token, text, header);
      return toOutcome(reply as WriteReply);
    },
    delete: async (id) => (await runScript(store, deleteScript, ...withAside(id), ...times())) === 1,
    async setAside(id, generation, problem) {
      if (store.onDamage === undefined) return false;
      const args = [generation, String(sessionLifeAside)];
      const isMoved = (await runScript(store, setAsideScript, ...withAside(id), ...args)) === 1;
      const [key] = keysOf(id);
      if (isMoved) store.onDamage({ key, problem, movedTo: asideOf(key) });
      return isMoved;
    },
    async isSetAside(id) {
      const [key] = keysOf(id);
      return (await store.run((client) => client.exists(asideOf(key)))) > 0;
    },
  };
}

const nothingKnown: KnownRecord = { generation: '', headerBytes: 0, inputBytes: 0 };

const recordOf = (outcome: ReadOutcome) => (outcome.kind === 'changed' ? outcome.record : undefined);

function toOutcome(reply: WriteReply): WriteOutcome {
  return reply?.[0] === 1 ? { kind: 'written', generation: reply[1] } : toNews(reply);
}

function toReadOutcome(reply: ReadReply): ReadOutcome {
  return reply?.[0] === 1 ? { kind: 'same' } : toNews(reply);
}

function toNews(reply: NewsReply): RecordNews {
  if (reply === null) return { kind: 'gone' };
  if (reply[0] === 2) return { kind: 'behind', tail: reply[1] };
  const [, generation, header, inputs, used] = reply;
  return { kind: 'changed', record: { generation, header, inputs, lastUsed: Number(used) } };
}

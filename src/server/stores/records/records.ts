/*
 * The port between what the server keeps and where it keeps it: append-only files of one machine, Redis or
 * Valkey, or memory. Everything above (sessions, rounds, counters, outbox, shared content) is written once.
 */

/**
 * Records by id. An id is a path of lower-case letters, digits, `-`, `_` and `.`, such as `session/0a1b…`.
 *
 * A record has a version, fields (name to text) and lines numbered 1, 2, 3 … without gaps. A missing record
 * has the version `''`, no fields and no lines. Every change is of one record and atomic; nothing is atomic
 * across records.
 *
 * Everything rejects with a `StoreUnavailableError` if the engine cannot answer now; a commit may then have
 * happened or not.
 */
export interface Records {
  /** Some fields of a record and the numbers of its lines; no `values` if `known` is its version. */
  read(id: string, names?: readonly string[], known?: string): Promise<RecordRead>;
  /** All fields of a record. */
  fields(id: string): Promise<ReadonlyMap<string, string>>;
  /**
   * The lines with the numbers `from` to `to`, both included, except those that were trimmed or do not exist
   * yet. `''` for one that can no longer be read, so that the others keep their places: fewer lines than
   * expected mean that the record has changed.
   */
  lines(id: string, from: number, to: number): Promise<readonly string[]>;
  /** Applies a change, or refuses it and changes nothing. Files do so at once, without a promise. */
  commit(id: string, change: RecordChange): Committed | Refused | Promise<Committed | Refused>;
  remove(id: string): Promise<void>;
  /**
   * The ids of all records whose id begins with `prefix`, in any order. Those that come or go in the meantime
   * may be there or not.
   */
  ids(prefix: string): AsyncIterable<string>;
  close(): Promise<void>;
}

export interface RecordRead {
  readonly version: string;
  /** In the order of the requested names; undefined for a missing field. */
  readonly values: readonly (string | undefined)[];
  /** Number of the oldest line that is kept and of the newest; `first` is `last + 1` if there is none. */
  readonly first: number;
  readonly last: number;
}

/** Conditions and effects, in the order of evaluation. If a condition fails, there are no effects. */
export interface RecordChange {
  /** Refused as `changed` unless this is the version; `''`: unless there is no such record. */
  readonly if?: string;
  readonly put?: Readonly<Record<string, string>>;
  /** Adds text to the end of fields; a missing field counts as empty. */
  readonly append?: Readonly<Record<string, string>>;
  /** Adds whole numbers to fields; a missing field counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
  /** Refused as `full` if a field together with what `add` adds to it would exceed this number. */
  readonly max?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  /**
   * Also erases what is removed from the files; trimmed lines once all that were added between two such
   * changes are trimmed. Slow: it begins a new file.
   */
  readonly forget?: true;
  /** Adds lines, which get the next numbers. */
  readonly push?: readonly string[];
  /** Removes all lines with a lower number. Numbers are never used again. */
  readonly trim?: number;
  /**
   * The record disappears after so many milliseconds by the engine's clock, unless a later change sets it
   * again. 0 removes it at once.
   */
  readonly ttl?: number;
  /**
   * Resolves only once the change is as safe as the engine can make it: forced to disk, or what the store is
   * set up to do.
   */
  readonly durable?: boolean;
}

export interface Committed {
  readonly version: string;
}

export interface Refused {
  readonly refused: 'changed' | 'full';
}

/**
 * The store cannot answer now: it is away, starting, full, read-only or denies access. The command may or may
 * not have run.
 */
export class StoreUnavailableError extends Error {
  constructor(
    /** One sentence for logs and `/health/ready`, without passwords and keys. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

/** Milliseconds for which a refusal counts: on a full disk or store, short changes may still succeed. */
const refusalLife = 10_000;

/** What an engine refused within the last ten seconds. `onFirst` is called if it had refused nothing before. */
export function createRefusals<T>(onFirst: (refusal: T) => void) {
  let latest: { readonly refusal: T; readonly at: number } | undefined;
  const current = (): T | undefined =>
    latest !== undefined && performance.now() - latest.at < refusalLife ? latest.refusal : undefined;
  return {
    current,
    report(refusal: T): void {
      if (current() === undefined) onFirst(refusal);
      latest = { refusal, at: performance.now() };
    },
  };
}

/** The code of an error of the system, `''` if it has none. */
export function codeOf(error: unknown): string {
  return String(Object(error).code ?? '');
}

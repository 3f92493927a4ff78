import type { ContentCopy } from './content/content-copy.ts';
import type { Outbox } from './outbox.ts';
import type { Pulse } from './pulse.ts';
import type { Rounds } from './rounds.ts';
import type { Sessions } from './sessions.ts';

/* What the server needs from its stores; each kind has its types with its code. */

/** A value or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** The texts of the content, named like their files in a content folder. */
export const contentNames = ['history.json', 'origins.json', 'editors.json'] as const;
export type ContentName = (typeof contentNames)[number];

export interface ContentText {
  /** Differs whenever the text or the log differs; compare only versions of the same name. */
  readonly version: string;
  readonly text: string;
  /** Of `history.json`: its log of changes, a line of JSON each (`changes.jsonl`). Otherwise empty. */
  readonly log: string;
}

/** A text after a change, and the result of the change. Undefined, or the same text, means that nothing changes. */
export interface TextChange<T> {
  readonly text: string | undefined;
  readonly result: T;
}

export interface ContentChange<T> extends TextChange<T> {
  /** Added to the log of `history.json`, together with the new text or not at all: at most one line, unless the text is new. */
  readonly added?: string | undefined;
}

/**
 * Keeps announcements, the allow-list and the editors as whole texts, which are read often and changed rarely. It does not parse
 * them: `content/content-store.ts` does that for announcements and allow-list.
 */
export interface Content {
  readonly kind: 'folder' | 'store';
  /** Name for people: the path of the folder, or the address of the store with its prefix, without a password. */
  readonly name: string;
  /** Name of one of its texts, for messages. */
  nameOf(name: ContentName | 'changes.jsonl'): string;
  /** Undefined if there is no such text. */
  read(name: ContentName): Promise<ContentText | undefined>;
  /**
   * Applies `change` to a text atomically, and returns the result of its last run. `change` may run several times, so it must
   * have no effects; other writers may have to wait for it. Rejects with a sentence that also says whether something was
   * changed.
   */
  update<T>(
    name: ContentName,
    change: (text: string | undefined, log: string) => Awaitable<ContentChange<T>>,
  ): Promise<T>;
  /** The versions of several texts, undefined if there is none: cheap enough to call several times a second. */
  versions(names: readonly ContentName[]): Promise<readonly (string | undefined)[]>;
}

/** A token bucket, which the requests of a client take from. */
export interface Bucket {
  /** Identifies the bucket; may contain the address of a client. */
  readonly name: string;
  /** Tokens gained per second, and tokens of a full bucket. */
  readonly rate: number;
  readonly burst: number;
}

/** The answer of the buckets to one request. */
export interface BucketReading {
  readonly allowed: boolean;
  /** Tokens left in the first bucket, with a fraction. */
  readonly left: number;
  /** Milliseconds until the request would be allowed; 0 if it is. */
  readonly wait: number;
}

/** Buckets that servers share, so that a client has one limit for all of them. */
export interface SharedLimits {
  /** Takes tokens from one or two buckets, from all or none; the widest comes last. Rejects while the store is away. */
  take(buckets: readonly Bucket[], cost: number): Promise<BucketReading>;
  /** Takes tokens for work already done; the buckets may go into debt. Rejects while the store is away. */
  spend(buckets: readonly Bucket[], cost: number): Promise<void>;
}

/** All stores of a server. */
export interface Stores {
  readonly sessions: Sessions;
  readonly rounds: Rounds;
  readonly content: Content;
  /** Only if the content is not on this server's own disk. */
  readonly contentCopy?: ContentCopy;
  /** The caller saves it every few seconds (see `startSaving`); closing saves it too. */
  readonly pulse: Pulse;
  /** Only for shared stores; otherwise the server counts in its own memory, synchronously. */
  readonly limits?: SharedLimits;
  readonly outbox: Outbox;
  /** Secret with which client addresses are hashed; empty if no stranger can reach the server. */
  readonly addressKey: string;
  /** Why a shared store cannot be used now, in a sentence; undefined while it answers. Missing in stores that are not shared. */
  problem?(): string | undefined;
  /** Saves everything unsaved, and releases all resources. */
  close(): Promise<void>;
}

/** The store cannot answer now: it is away, starting, full, read-only or denies access. The command may or may not have run. */
export class StoreUnavailableError extends Error {
  constructor(
    /** One sentence for the log and for `/health/ready`, without passwords and keys. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

import type { Content } from './content/content.ts';
import type { ContentCopy } from './content/content-copy.ts';
import type { Outbox } from './outbox.ts';
import type { Pulse } from './pulse.ts';
import type { Rounds } from './rounds.ts';
import type { Sessions } from './sessions.ts';

/* What the server needs from its stores; each kind has its types with its code. */

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

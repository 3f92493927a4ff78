import type { Content } from './content/content.ts';
import type { ContentCopy } from './content/content-copy.ts';
import type { Outbox } from './outbox.ts';
import type { Pulse } from './pulse.ts';
import type { SharedLimits } from './records/shared-limits.ts';
import type { Rounds } from './rounds.ts';
import type { Sessions } from './sessions.ts';

/* What the server needs from its stores; each kind has its types with its code. */

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
  /**
   * Why the store cannot be used now, or the disk cannot be written to, in a sentence; undefined while all is
   * well.
   */
  problem(): string | undefined;
  /** Saves everything unsaved, and releases all resources. */
  close(): Promise<void>;
}

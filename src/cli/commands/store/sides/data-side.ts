import type { PlayerId } from '../../../../server/stores/player.ts';
import type { Content, StoredSession } from '../../../../server/stores/ports.ts';
import type { UnsavedRound } from '../../../../server/stores/unsaved-rounds.ts';
import type { FolderCounts, StoreCounts } from './copy-counts.ts';

export interface FoundRound extends UnsavedRound {
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
}

/** Finished rounds of one player, oldest first. */
export interface RoundBatch {
  readonly player: PlayerId;
  readonly rounds: readonly FoundRound[];
}

/** How many rounds were not copied though they were not there, and why. */
export interface LeftOutRounds {
  /** Their player has had all data deleted since. */
  readonly forgotten: number;
  /** Older than rounds are kept. */
  readonly expired: number;
  readonly withoutRoom: number;
}

export const noneLeftOut: LeftOutRounds = { forgotten: 0, expired: 0, withoutRoom: 0 };

export interface AddedRounds {
  readonly added: number;
  readonly leftOut: LeftOutRounds;
}

/** `forgotten`: left out, because its player has had all data deleted since. */
export type AddedSession = 'added' | 'was there' | 'forgotten';

/** What a server keeps: in folders, or in a store that servers share. */
export interface DataSide {
  /** What people know it by. */
  readonly name: string;
  readonly content: Content;
  /** The secret that addresses are hashed with; undefined where no stranger has ever reached the server. */
  addressKey(): Promise<string | undefined>;
  sessions(): Promise<readonly StoredSession[]>;
  /** About how many rounds there are, found out without reading them. */
  roundCount(): Promise<number>;
  /** All rounds, in portions that fit into memory. */
  rounds(): AsyncIterable<RoundBatch>;
  close(): Promise<void>;
}

/** A side that something is copied to. Nothing that is there is replaced. */
export interface DataTarget extends DataSide {
  /** False where there is one already. */
  addAddressKey(key: string): Promise<boolean>;
  addSession(stored: StoredSession): Promise<AddedSession>;
  /** Adds those whose ids are not there. */
  addRounds(batch: RoundBatch): Promise<AddedRounds>;
}

/** Folders of a server. */
export interface FolderSide extends DataTarget {
  readonly counts: FolderCounts;
}

/** A store that servers share. */
export interface StoreSide extends DataTarget {
  /** The rounds that may be added. */
  sift(batch: RoundBatch): Promise<SiftedRounds>;
  /** Whether a session's player has had all data deleted since it was opened. */
  isForgotten(stored: StoredSession): Promise<boolean>;
  readonly counts: StoreCounts;
}

export interface SiftedRounds {
  readonly rounds: readonly FoundRound[];
  readonly leftOut: LeftOutRounds;
}

/** Rounds of a batch. */
export const batchSize = 200;

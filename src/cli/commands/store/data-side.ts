import type { PlayerId } from '../../../server/stores/player.ts';
import type { Content, StoredSession } from '../../../server/stores/ports.ts';
import type { UnsavedRound } from '../../../server/stores/unsaved-rounds.ts';
import type { FolderCounts, StoreCounts } from './copy-counts.ts';

/** Finished rounds of one player, oldest first. */
export interface RoundBatch {
  readonly player: PlayerId;
  readonly rounds: readonly UnsavedRound[];
}

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
  /** False where there is one with its id already. */
  addSession(stored: StoredSession): Promise<boolean>;
  /** Adds those whose ids are not there. Resolves to how many that were. */
  addRounds(batch: RoundBatch): Promise<number>;
}

/** Folders of a server. */
export interface FolderSide extends DataTarget {
  readonly counts: FolderCounts;
}

/** A store that servers share. */
export interface StoreSide extends DataTarget {
  readonly counts: StoreCounts;
}

/** Rounds of a batch. */
export const batchSize = 200;

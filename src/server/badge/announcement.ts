/** An announcement as `history.json` holds it. All times are instants in UTC, whole seconds, `YYYY-MM-DDTHH:MM:SSZ`. */
export interface StoredAnnouncement {
  readonly id: string;
  readonly message: string;
  /** An absolute http(s) address, or empty: the badge then shows text only. */
  readonly link: string;
  readonly published: string;
  readonly expires: string;
  /** Present: it supersedes no earlier announcement. */
  readonly alongside?: true;
  /** An editor ended it at this instant, ahead of `expires`. */
  readonly expired?: string;
  /** An editor took it back at this instant: it is gone from the public history and supersedes nothing. */
  readonly withdrawn?: string;
}

export type Action = 'publish' | 'edit' | 'expire' | 'withdraw' | 'undo';

/** One line of the log. Its number is its position in the log, counted from 1. */
export interface Change {
  readonly at: string;
  readonly by: string;
  readonly action: Action;
  readonly id: string;
  readonly before: StoredAnnouncement | null;
  readonly after: StoredAnnouncement | null;
  /** Of an undo: the number of the change that it takes back. */
  readonly undoes?: number;
}

/** Content, log and undo share one file, so that they can never disagree. */
export interface HistoryFile {
  readonly version: 1;
  readonly announcements: readonly StoredAnnouncement[];
  readonly changes: readonly Change[];
}

/** What `/content/announcement.json` answers. `expires` is the instant at which it really ends. */
export interface PublicAnnouncement {
  readonly id: string;
  readonly message: string;
  readonly link: string;
  readonly published: string;
  readonly expires: string;
}

export interface PublicHistoryEntry extends PublicAnnouncement {
  readonly active: boolean;
}

/** What `/content/history.json` answers, newest first. */
export interface PublicHistory {
  readonly announcements: readonly PublicHistoryEntry[];
  readonly lastUpdated: string;
}

export const emptyHistory: HistoryFile = { version: 1, announcements: [], changes: [] };

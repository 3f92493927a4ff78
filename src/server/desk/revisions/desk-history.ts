import { createHash } from 'node:crypto';
import { emptyHistory, type HistoryFile } from '../../../announcements/announcement.ts';
import type { HttpError } from '../../http/requests/http-error.ts';
import { ContentError, toProblemSentence } from '../../stores/content/content-error.ts';
import {
  createHistoryReader,
  type HistoryReading,
  toHistoryText,
} from '../../stores/content/history-file.ts';
import type { Content } from '../../stores/ports.ts';

/** The announcements with the revision that they are: another one whenever anything in them is another. */
export interface HistoryAtRevision {
  readonly history: HistoryFile;
  /** `<number of changes>-<hash of the text>`, so that it also tells which changes came after it. */
  readonly revision: string;
}

/** What a change makes of the announcements, or why it makes nothing. */
export type DeskOutcome = { readonly history: HistoryFile } | { readonly refusal: HttpError<string> };

export interface DeskHistory {
  read(): Promise<HistoryAtRevision>;
  /** Like `Content.update`, with the revision that is true afterwards. */
  update<T extends DeskOutcome>(
    change: (seen: HistoryAtRevision) => T,
  ): Promise<{ readonly outcome: T; readonly revision: string }>;
}

/** Reads and changes the announcements. A text is parsed once, however often it is read. */
export function createDeskHistory(content: Content): DeskHistory {
  const readHistory = createHistoryReader();
  let last: { readonly text: string | undefined; readonly seen: HistoryAtRevision } | undefined;

  const parse = (text: string | undefined): HistoryAtRevision => {
    if (last !== undefined && last.text === text) return last.seen;
    const history =
      text === undefined ? emptyHistory : toHistory(readHistory(text), content.nameOf('history.json'));
    const seen = { history, revision: toRevision(history, text) };
    last = { text, seen };
    return seen;
  };

  return {
    read: async () => parse((await content.read('history.json'))?.text),
    update: (change) =>
      content.update('history.json', (text) => {
        const before = parse(text);
        const outcome = change(before);
        if (!('history' in outcome) || outcome.history === before.history)
          return { text: undefined, result: { outcome, revision: before.revision } };
        const after = toHistoryText(outcome.history);
        return { text: after, result: { outcome, revision: toRevision(outcome.history, after) } };
      }),
  };
}

function toHistory(result: HistoryReading, file: string): HistoryFile {
  if (!('problems' in result)) return result.history;
  throw new ContentError(toProblemSentence(file, result.problems), file, result.problems);
}

function toRevision({ changes }: HistoryFile, text = ''): string {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return `${changes.length}-${hash}`;
}

/** How many changes had been made at a revision; undefined where it is none. */
export function changesAt(revision: string): number | undefined {
  const [, count] = /^(\d{1,9})-[\w-]{22}$/.exec(revision) ?? [];
  return count === undefined ? undefined : Number(count);
}

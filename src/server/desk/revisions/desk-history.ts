import { hash } from 'node:crypto';
import type { HistoryFile } from '../../../announcements/announcement.ts';
import type { HttpError } from '../../http/requests/http-error.ts';
import type { Content } from '../../stores/content/content.ts';
import { historyOf, historyTexts } from '../../stores/content/content-store.ts';
import { describeOversize, type HistoryReader, isOversize } from '../../stores/content/history-file.ts';
import { refused } from '../refusals/desk-refusals.ts';

/** The announcements with their revision, which differs whenever anything in them does. */
export interface HistoryAtRevision {
  readonly history: HistoryFile;
  /** `<number of changes>-<hash of text and log>`; the number tells which changes came later. */
  readonly revision: string;
}

/** The announcements after a change, or why it is refused. */
export type DeskOutcome = { readonly history: HistoryFile } | { readonly refusal: HttpError<string> };

export interface DeskUpdate<T> {
  readonly outcome: T | { readonly refusal: HttpError<string> };
  /** The revision afterwards. */
  readonly revision: string;
}

export interface DeskHistory {
  read(): Promise<HistoryAtRevision>;
  /** Like `Content.update`, with the revision afterwards. A change that would make the text too large is refused. */
  update<T extends DeskOutcome>(change: (seen: HistoryAtRevision) => T): Promise<DeskUpdate<T>>;
}

/** Reads and changes the announcements. The same version is read only once, even for simultaneous requests. */
export function createDeskHistory(content: Content, readHistory: HistoryReader): DeskHistory {
  const see = (text: string | undefined, log: string): HistoryAtRevision => {
    const history = historyOf(content, text === undefined ? undefined : { text, log }, readHistory);
    return { history, revision: revisionOf(history, text ?? '', log) };
  };
  // An editor may request a hundred pages of a list, and reading a large text for each would keep everybody waiting.
  let last: { readonly version: string | undefined; readonly seen: Promise<HistoryAtRevision> } | undefined;
  const readAgain = async () => {
    const found = await content.read('history.json');
    return see(found?.text, found?.log ?? '');
  };
  return {
    async read() {
      const [version] = await content.versions(['history.json']);
      if (last !== undefined && version !== undefined && last.version === version) return last.seen;
      const reading = { version, seen: readAgain() };
      last = reading;
      reading.seen.catch(() => {
        if (last === reading) last = undefined;
      });
      return reading.seen;
    },
    update: <T extends DeskOutcome>(change: (seen: HistoryAtRevision) => T) =>
      content.update<DeskUpdate<T>>('history.json', (text, log) => {
        const before = see(text, log);
        const outcome = change(before);
        const unchanged = (result: DeskUpdate<T>['outcome']) => ({
          text: undefined,
          result: { outcome: result, revision: before.revision },
        });
        if (!('history' in outcome) || outcome.history === before.history) return unchanged(outcome);
        const after = historyTexts(before.history, outcome.history);
        const newLog = log + after.added;
        if (isOversize(after.text, newLog)) return unchanged({ refusal: newOversizeRefusal() });
        const revision = revisionOf(outcome.history, after.text, newLog);
        return { ...after, result: { outcome, revision } };
      }),
  };
}

function newOversizeRefusal(): HttpError<string> {
  return refused(`nothing was changed: ${describeOversize()}`);
}

function revisionOf({ changes }: HistoryFile, text: string, log: string): string {
  return `${changes.length}-${hash('sha256', `${text}${log}`, 'base64url').slice(0, 22)}`;
}

/** Number of changes at a revision; undefined if the text is not a revision. */
export function changesAt(revision: string): number | undefined {
  const [, count] = /^(\d{1,9})-[\w-]{22}$/.exec(revision) ?? [];
  return count === undefined ? undefined : Number(count);
}

import { emptyHistory, type HistoryFile } from '../../../announcements/announcement.ts';
import type { HttpError } from '../../http/requests/http-error.ts';
import { ContentError, toProblemSentence } from '../../stores/content/content-error.ts';
import { createHistoryReader, type HistoryReading } from '../../stores/content/history-file.ts';
import { findOversize } from '../../stores/content/history-size.ts';
import { writeHistoryText } from '../../stores/content/history-text.ts';
import { hashText } from '../../stores/content/text-hash.ts';
import type { Content } from '../../stores/ports.ts';
import { refused } from '../refusals/desk-refusals.ts';

/** The announcements with their revision, which differs whenever anything in them does. */
export interface HistoryAtRevision {
  readonly history: HistoryFile;
  /** `<number of changes>-<hash of the text>`; the number tells which changes came later. */
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

/** Reads and changes the announcements. The same text is parsed only once, even for simultaneous reads. */
export function createDeskHistory(content: Content): DeskHistory {
  const readHistory = createHistoryReader();
  let last: { readonly text: string | undefined; readonly seen: Promise<HistoryAtRevision> } | undefined;

  const parse = async (text: string | undefined): Promise<HistoryAtRevision> => {
    const history =
      text === undefined ? emptyHistory : toHistory(await readHistory(text), content.nameOf('history.json'));
    return { history, revision: await toRevision(history, text) };
  };
  const see = (text: string | undefined): Promise<HistoryAtRevision> => {
    if (last === undefined || last.text !== text) last = { text, seen: parse(text) };
    return last.seen;
  };

  return {
    read: async () => see((await content.read('history.json'))?.text),
    update: <T extends DeskOutcome>(change: (seen: HistoryAtRevision) => T) =>
      content.update<DeskUpdate<T>>('history.json', async (text) => {
        const before = await see(text);
        const outcome = change(before);
        if (!('history' in outcome) || outcome.history === before.history)
          return { text: undefined, result: { outcome, revision: before.revision } };
        const after = await writeHistoryText(outcome.history);
        const oversize = findOversize(after);
        if (oversize !== undefined) {
          const refusal = refused(`nothing was changed: ${oversize}`);
          return { text: undefined, result: { outcome: { refusal }, revision: before.revision } };
        }
        const revision = await toRevision(outcome.history, after);
        return { text: after, result: { outcome, revision } };
      }),
  };
}

function toHistory(result: HistoryReading, file: string): HistoryFile {
  if (!('problems' in result)) return result.history;
  throw new ContentError(toProblemSentence(file, result.problems), file, result.problems);
}

async function toRevision({ changes }: HistoryFile, text = ''): Promise<string> {
  return `${changes.length}-${await hashText(text)}`;
}

/** Number of changes at a revision; undefined if the text is not a revision. */
export function changesAt(revision: string): number | undefined {
  const [, count] = /^(\d{1,9})-[\w-]{22}$/.exec(revision) ?? [];
  return count === undefined ? undefined : Number(count);
}

import { emptyHistory, type HistoryFile } from '../../../announcements/announcement.ts';
import type { HttpError } from '../../http/requests/http-error.ts';
import { ContentError, toProblemSentence } from '../../stores/content/content-error.ts';
import type { HistoryReading } from '../../stores/content/history/history-file.ts';
import type { HistoryReader } from '../../stores/content/history/history-reader.ts';
import { describeOversize, isOversize } from '../../stores/content/history/history-size.ts';
import { writeHistoryText } from '../../stores/content/history/history-text.ts';
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

interface SeenText {
  /** Undefined if there was no text. */
  readonly textHash: string | undefined;
  /** Undefined if it is not known. */
  readonly version: string | undefined;
  readonly seen: Promise<HistoryAtRevision>;
}

/** Reads and changes the announcements. The same text is parsed only once, even for simultaneous reads. */
export function createDeskHistory(content: Content, readHistory: HistoryReader): DeskHistory {
  let last: SeenText | undefined;

  const parse = async (text: string, textHash: string): Promise<HistoryAtRevision> => {
    const history = toHistory(await readHistory(text), content.nameOf('history.json'));
    return { history, revision: toRevision(history, textHash) };
  };
  /** Remembers no text: it may take more memory than everything that was made of it. */
  const see = async (text: string | undefined, version?: string): Promise<HistoryAtRevision> => {
    const textHash = text === undefined ? undefined : await hashText(text);
    const known = last?.textHash === textHash ? last : undefined;
    const seen = known?.seen ?? (text === undefined ? noHistory() : parse(text, textHash ?? ''));
    last = { textHash, version: version ?? known?.version, seen };
    return seen;
  };

  /** Of a version that several requests wait for, the text is in memory once. */
  let reading: Pick<SeenText, 'version' | 'seen'> | undefined;
  const readText = async () => {
    const found = await content.read('history.json');
    return see(found?.text, found?.version);
  };

  return {
    async read() {
      // An editor may request a hundred pages of a list, and reading a large text for each would keep everybody waiting.
      const [version] = await content.versions(['history.json']);
      if (last !== undefined && version !== undefined && last.version === version) return last.seen;
      if (reading === undefined || version === undefined || reading.version !== version) {
        const begun = { version, seen: readText() };
        const forget = () => {
          if (reading === begun) reading = undefined;
        };
        begun.seen.then(forget, forget);
        reading = begun;
      }
      return reading.seen;
    },
    update: <T extends DeskOutcome>(change: (seen: HistoryAtRevision) => T) =>
      content.update<DeskUpdate<T>>('history.json', async (text) => {
        const before = await see(text);
        const outcome = change(before);
        const unchanged = (result: DeskUpdate<T>['outcome']) => ({
          text: undefined,
          result: { outcome: result, revision: before.revision },
        });
        if (!('history' in outcome) || outcome.history === before.history) return unchanged(outcome);
        // Every change makes the text longer. One that is too long already is not written again: there may be no memory for it.
        const after = isOversize(text) ? undefined : await writeHistoryText(outcome.history);
        if (after === undefined || isOversize(after)) return unchanged({ refusal: newOversizeRefusal() });
        return {
          text: after,
          result: { outcome, revision: toRevision(outcome.history, await hashText(after)) },
        };
      }),
  };
}

async function noHistory(): Promise<HistoryAtRevision> {
  return { history: emptyHistory, revision: toRevision(emptyHistory, await hashText('')) };
}

function newOversizeRefusal(): HttpError<string> {
  return refused(`nothing was changed: ${describeOversize()}`);
}

function toHistory(result: HistoryReading, file: string): HistoryFile {
  if (!('problems' in result)) return result.history;
  throw new ContentError(toProblemSentence(file, result.problems), file, result.problems);
}

function toRevision({ changes }: HistoryFile, textHash: string): string {
  return `${changes.length}-${textHash}`;
}

/** Number of changes at a revision; undefined if the text is not a revision. */
export function changesAt(revision: string): number | undefined {
  const [, count] = /^(\d{1,9})-[\w-]{22}$/.exec(revision) ?? [];
  return count === undefined ? undefined : Number(count);
}

import type { InferOutput } from 'valibot';
import type { Change, HistoryFile } from '../../announcements/announcement.ts';
import { describeChange } from '../../announcements/changes/change-log.ts';
import { type DraftTexts, readDraft, readEarlyEnd, readEdit } from '../../announcements/changes/draft.ts';
import {
  type EditOutcome,
  type EditResult,
  edit,
  expire,
  publish,
  type Stamp,
  withdraw,
} from '../../announcements/changes/history-edit.ts';
import { undo } from '../../announcements/changes/history-undo.ts';
import { fieldNames } from '../../announcements/fields.ts';
import { plainNames } from '../../announcements/plain-values.ts';
import {
  currentAnnouncement,
  type EntryState,
  latestStates,
  listedAnnouncement,
  replacedBy,
} from '../../announcements/schedule.ts';
import {
  type ChangedAnnouncement,
  type ChangeEffect,
  EditRequestSchema,
  ExpireRequestSchema,
  PublishRequestSchema,
  type UndoneAnswer,
  UndoRequestSchema,
  WithdrawRequestSchema,
} from '../../contract/desk-types.ts';
import { visibleText } from '../../kit/visible-text.ts';
import { isMatchHit } from '../http/representation.ts';
import type { DeskAnswer, DeskParts, DeskRequest } from './desk-operations.ts';
import { invalid, notFound, refusal, refused, required, sentenceOf } from './desk-refusals.ts';
import { type BodySchema, findRepeated, hash, parseBody, parseQuery, requestMark } from './desk-request.ts';

/** For times without an offset: the server does not know where its editors are. */
const zone = 'UTC';

/** The outcome of a request: the announcements with change `number`; unchanged if that is undefined. */
type Made = Pick<EditResult, 'history' | 'number' | 'warnings'> & { readonly id: string };

/** The requests that change announcements. */
export function createDeskChanges({ store, clock }: DeskParts) {
  /**
   * Makes a change once, if `If-Match` names the current revision; with `dryRun` it is not stored. `apply`
   * has no effects, because it may run again; it throws refusals.
   */
  const change = async (request: DeskRequest, apply: (history: HistoryFile, stamp: Stamp) => Made) => {
    const isDry = parseQuery(request).dryRun === 'true';
    const mark = isDry ? undefined : requestMark(request);
    const attempt = (history: HistoryFile): Made & { readonly isNew: boolean; readonly now: number } => {
      // Read where changes come one after the other: a later change never has an earlier time.
      const now = clock();
      const stamp = { by: request.editor.name, at: now, ...(mark === undefined ? {} : { request: mark }) };
      // First, so that a repeated request does not fail because of its own change.
      const number = findRepeated(history.changes, mark, now);
      const repeated = history.changes[number - 1];
      if (repeated !== undefined)
        return { history, number, id: repeated.id, warnings: [], isNew: false, now };
      requireRevision(request.ifMatch, revisionOf(history), (seen) => changesSince(seen, history));
      const made = apply(history, stamp);
      return { ...made, isNew: !isDry && made.number !== undefined, now };
    };
    if (!isDry) {
      const made = await store.updateHistory(attempt);
      return { ...made, revision: revisionOf(made.history) };
    }
    const seen = await store.readHistory();
    return { ...attempt(seen), revision: revisionOf(seen) };
  };

  const edits =
    <Schema extends BodySchema>(
      schema: Schema,
      status: 200 | 201,
      apply: (history: HistoryFile, body: InferOutput<Schema>, id: string, stamp: Stamp) => EditOutcome,
    ) =>
    async (request: DeskRequest): Promise<DeskAnswer> => {
      const { id } = request;
      const body = parseBody(schema, request);
      const made = await change(request, (history, stamp) => {
        const outcome = apply(history, body, id, stamp);
        if (!('problem' in outcome)) return { ...outcome, id: outcome.entry.id };
        const isThere = id === '' || history.announcements.some((entry) => entry.id === id);
        throw isThere ? refused(outcome.problem) : notFound(outcome.problem);
      });
      return {
        status,
        body: changedAnswer(made, made.now),
        revision: made.revision,
        changed: made.isNew ? `change ${made.number} on ${made.id}` : undefined,
      };
    };

  return {
    publishAnnouncement: edits(PublishRequestSchema, 201, (history, body, _, stamp) =>
      publish(history, required(readDraft(textsOf(body), { zone, now: stamp.at })), stamp),
    ),
    editAnnouncement: edits(EditRequestSchema, 200, (history, body, id, stamp) => {
      if (Object.keys(body).length === 0) throw invalid('the body contains no field to change');
      const before = history.announcements.find((entry) => entry.id === id);
      return edit(history, id, required(readEdit(textsOf(body), before, { zone, now: stamp.at })), stamp);
    }),
    expireAnnouncement: edits(ExpireRequestSchema, 200, (history, body, id, stamp) =>
      expire(history, id, required(readEarlyEnd(body.at, { zone, now: stamp.at })), stamp),
    ),
    withdrawAnnouncement: edits(WithdrawRequestSchema, 200, (history, _, id, stamp) =>
      withdraw(history, id, stamp),
    ),

    /** Undoes a change of any editor; the log records who undid it. */
    async undoChange(request: DeskRequest): Promise<DeskAnswer> {
      const { change: wanted } = parseBody(UndoRequestSchema, request);
      const made = await change(request, (history, stamp) => {
        const undone = undo(history, wanted, stamp);
        if ('problem' in undone) throw refused(undone.problem);
        return { ...undone, id: undone.undone.id, warnings: [] };
      });
      const answer = undoneAnswer(made.history, made.number ?? 0, made.now);
      return {
        status: 200,
        body: { ...answer.announcement, ...answer },
        revision: made.revision,
        changed: made.isNew ? `change ${answer.change} undid change ${answer.undone}` : undefined,
      };
    },
  };
}

/**
 * `<number of changes>-<hash of the announcements>`: it differs whenever anything in them does, and the
 * number shows which changes came later.
 */
export function revisionOf({ announcements, changes }: HistoryFile): string {
  // A text from the disk may have its fields in another order.
  const values = announcements.map((entry) => fieldNames.map((name) => entry[name] ?? null));
  return `${changes.length}-${hash(JSON.stringify(values))}`;
}

/**
 * Throws a 412 if `If-Match` names an outdated revision.
 *
 * @param what what was changed in the meantime, from what `If-Match` names
 */
export function requireRevision(
  ifMatch: string | undefined,
  revision: string,
  what: (seen: string) => string,
): void {
  if (ifMatch === undefined || isMatchHit(ifMatch, `"${revision}"`)) return;
  throw refusal(
    'CHANGED_MEANWHILE',
    sentenceOf(
      `something was changed meanwhile: ${what(ifMatch)}. Your change was not made: read the announcements again, then decide`,
    ),
    ['ETag', `"${revision}"`],
  );
}

/** The latest change since the revision that an editor has seen. */
function changesSince(ifMatch: string, { changes }: HistoryFile): string {
  const [, seen = changes.length] = /^"?(\d{1,9})-/.exec(ifMatch.trim()) ?? [];
  const last = changes.at(-1);
  if (last === undefined || changes.length <= Number(seen)) return 'by hand, in the file itself';
  return `${visibleText(last.by)} ${describeChange(last)} (change ${changes.length})`;
}

function textsOf({ at, expires, id, ...given }: Record<string, unknown>): DraftTexts {
  const values = Object.fromEntries(plainNames.map((name) => [name, given[name]]));
  return { at, expires, id, values } as DraftTexts;
}

/** A repeated request gets its first answer again, but with the announcement as it is now. */
function changedAnswer({ history, id, number, warnings }: Made, now: number): ChangedAnnouncement {
  const change = number === undefined ? undefined : history.changes[number - 1];
  const effect = effectOf(history, id, change, warnings, now);
  const found = stateOf(history, id, now);
  if (found !== undefined) return { ...listedAnnouncement(found), change: number ?? null, ...effect };
  if (number === undefined || change?.after == null) throw notFound(`there is no announcement ${id}`);
  return { ...change.after, state: 'withdrawn', change: number, ...effect };
}

function undoneAnswer(history: HistoryFile, number: number, now: number): UndoneAnswer {
  const made = history.changes[number - 1];
  const undone = history.changes[(made?.undoes ?? 0) - 1];
  if (made === undefined || undone === undefined) throw new Error(`there is no undo ${number}`);
  const { id, action, by, undoes = null } = undone;
  const found = stateOf(history, id, now);
  return {
    announcement: found === undefined ? null : listedAnnouncement(found),
    change: number,
    undone: made.undoes ?? 0,
    ...{ by, id, action, undoes },
    ...effectOf(history, id, made, [], now),
  };
}

/** What a change did to the announcement and to what readers see. Undefined: nothing had to change. */
function effectOf(
  history: HistoryFile,
  id: string,
  change: Change | undefined,
  warnings: readonly string[],
  now: number,
): ChangeEffect {
  const found = stateOf(history, id, now);
  const isShown = found?.state === 'active' || found?.state === 'scheduled';
  return {
    before: change === undefined ? (found?.entry ?? null) : change.before,
    supersedes: isShown ? replacedBy(history, found.entry).map((earlier) => earlier.id) : [],
    current: currentAnnouncement(history, now)?.id ?? null,
    currentBefore: currentAnnouncement(without(history, change), now)?.id ?? null,
    warnings,
  };
}

/** The announcements as if this change had not been made. */
function without(history: HistoryFile, change: Change | undefined): HistoryFile {
  if (change === undefined) return history;
  const { id, before } = change;
  const { announcements } = history;
  const isThere = announcements.some((entry) => entry.id === id);
  const restored = isThere
    ? announcements.flatMap((entry) => (entry.id === id ? (before ?? []) : entry))
    : [...announcements, ...(before === null ? [] : [before])];
  return { ...history, announcements: restored };
}

function stateOf(history: HistoryFile, id: string, now: number): EntryState | undefined {
  return latestStates(history, now).find(({ entry }) => entry.id === id);
}

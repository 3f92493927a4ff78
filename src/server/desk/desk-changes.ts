import type { InferOutput } from 'valibot';
import type { HistoryFile } from '../../announcements/announcement.ts';
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
import { restored, undo } from '../../announcements/changes/history-undo.ts';
import { fieldNames } from '../../announcements/fields.ts';
import { plainNames } from '../../announcements/plain-values.ts';
import {
  currentAnnouncement,
  latestStates,
  listedAnnouncement,
  replacedBy,
} from '../../announcements/schedule.ts';
import {
  type ChangedAnnouncement,
  EditRequestSchema,
  ExpireRequestSchema,
  PublishRequestSchema,
  type UndoneAnswer,
  UndoRequestSchema,
  WithdrawRequestSchema,
} from '../../contract/desk-types.ts';
import { visibleText } from '../../kit/visible-text.ts';
import { HttpError } from '../http/errors.ts';
import { isMatchHit } from '../http/representation.ts';
import { roomWarnings } from '../stores/content/history-file.ts';
import type { DeskAnswer, DeskParts, DeskRequest } from './desk-operations.ts';
import { invalid, notFound, refused, required, sentenceOf } from './desk-refusals.ts';
import { type BodySchema, deskQuery, findRepeated, hash, parseBody, requestMark } from './desk-request.ts';

/** For times without an offset: the server does not know where its editors are. */
const zone = 'UTC';

/** The outcome of a request: the announcements with change `number`; unchanged if that is undefined. */
type Made = Pick<EditResult, 'history' | 'number' | 'warnings'> & { readonly id: string };

export function createDeskChanges({ store, clock }: DeskParts) {
  /**
   * Makes a change once, if `If-Match` names the current revision; with `dryRun` it is not stored. `apply`
   * has no effects, because it may run again; it throws refusals.
   */
  const change =
    <Schema extends BodySchema>(
      schema: Schema,
      status: 200 | 201,
      apply: (history: HistoryFile, body: InferOutput<Schema>, stamp: Stamp, id: string) => Made,
    ) =>
    async (request: DeskRequest): Promise<DeskAnswer> => {
      const body = parseBody(schema, request);
      const isDry = deskQuery(request).dryRun === 'true';
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
        const made = apply(history, body, stamp, request.id);
        return { ...made, isNew: !isDry && made.number !== undefined, now };
      };
      const seen = isDry ? await store.readHistory() : undefined;
      const made = seen === undefined ? await store.updateHistory(attempt) : attempt(seen);
      const last = made.history.changes.at(-1);
      return {
        status,
        body: answerTo(made, made.now),
        revision: revisionOf(seen ?? made.history),
        changed: made.isNew && last ? `change ${made.number}: ${describeChange(last)}` : undefined,
      };
    };

  /** Throws a 404 if there is no such announcement, and a 409 for every other problem. */
  const madeBy = (history: HistoryFile, id: string, outcome: EditOutcome): Made => {
    if (!('problem' in outcome)) return { ...outcome, id: outcome.entry.id };
    const isThere = id === '' || history.announcements.some((entry) => entry.id === id);
    throw isThere ? refused(outcome.problem) : notFound(outcome.problem);
  };

  return {
    publishAnnouncement: change(PublishRequestSchema, 201, (history, body, stamp) => {
      const draft = required(readDraft(textsOf(body), { zone, now: stamp.at }));
      return madeBy(history, '', publish(history, draft, stamp));
    }),
    editAnnouncement: change(EditRequestSchema, 200, (history, body, stamp, id) => {
      if (Object.keys(body).length === 0) throw invalid('the body contains no field to change');
      const before = history.announcements.find((entry) => entry.id === id);
      const changes = required(readEdit(textsOf(body), before, { zone, now: stamp.at }));
      return madeBy(history, id, edit(history, id, changes, stamp));
    }),
    expireAnnouncement: change(ExpireRequestSchema, 200, (history, body, stamp, id) => {
      const end = required(readEarlyEnd(body.at, { zone, now: stamp.at }));
      return madeBy(history, id, expire(history, id, end, stamp));
    }),
    withdrawAnnouncement: change(WithdrawRequestSchema, 200, (history, _, stamp, id) =>
      madeBy(history, id, withdraw(history, id, stamp)),
    ),
    /** Undoes a change of any editor; the log records who undid it. */
    undoChange: change(UndoRequestSchema, 200, (history, body, stamp) => {
      const undone = undo(history, body.change, stamp);
      if ('problem' in undone) throw refused(undone.problem);
      return { ...undone, warnings: [] };
    }),
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
  throw new HttpError(
    'CHANGED_MEANWHILE',
    sentenceOf(`something was changed meanwhile: ${what(ifMatch)}. Your change was not made`),
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

/** Milliseconds by which the clocks of computers usually differ. */
const usualSkew = 1_000;

/** Where a clock is wrong, readers may see another announcement than this answer says. */
function clockWarnings({ changes }: Made['history'], now: number): string[] {
  const later = changes.find(({ at }) => Date.parse(at) > now + usualSkew);
  if (later === undefined) return [];
  return [
    `The log has a change at ${later.at}, which is later than now: check the clocks of your computers.`,
  ];
}

/** A repeated request gets its first answer again, but with the announcement as it is now. */
function answerTo({ history, id, number, warnings }: Made, now: number): ChangedAnnouncement | UndoneAnswer {
  const change = history.changes[(number ?? 0) - 1];
  const earlier = change === undefined ? history : { ...history, announcements: restored(history, change) };
  const found = latestStates(history, now).find(({ entry }) => entry.id === id);
  const isShown = found?.state === 'active' || found?.state === 'scheduled';
  const effect = {
    before: change === undefined ? (found?.entry ?? null) : change.before,
    supersedes: isShown ? replacedBy(history, found.entry).map((each) => each.id) : [],
    current: currentAnnouncement(history, now)?.id ?? null,
    currentBefore: currentAnnouncement(earlier, now)?.id ?? null,
    warnings: [...warnings, ...clockWarnings(history, now), ...roomWarnings(history)],
  };
  const announcement = found === undefined ? null : listedAnnouncement(found);
  const undone = history.changes[(change?.undoes ?? 0) - 1];
  if (number !== undefined && undone !== undefined) {
    const { by, action, undoes = null } = undone;
    const what = { undone: change?.undoes ?? 0, by, id, action, undoes };
    return { ...announcement, announcement, change: number, ...what, ...effect };
  }
  // What a repeated request had published may be gone by now.
  const last = announcement ?? (change?.after ? { ...change.after, state: 'withdrawn' as const } : null);
  if (last === null) throw notFound(`there is no announcement ${id}`);
  return { ...last, change: number ?? null, ...effect };
}

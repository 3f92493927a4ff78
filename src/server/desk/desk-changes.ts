import type { InferOutput } from 'valibot';
import type { Change, HistoryFile } from '../../announcements/announcement.ts';
import {
  type DraftTexts,
  type Read,
  readDraft,
  readEarlyEnd,
  readEdit,
} from '../../announcements/changes/draft.ts';
import {
  type EditOutcome,
  edit,
  expire,
  publish,
  type Stamp,
  withdraw,
} from '../../announcements/changes/history-edit.ts';
import { undo } from '../../announcements/changes/history-undo.ts';
import { plainNames } from '../../announcements/plain-values.ts';
import {
  activeAnnouncements,
  currentAnnouncement,
  findListed,
  replacedBy,
  stateAt,
  successorOf,
} from '../../announcements/schedule.ts';
import {
  type ChangedAnnouncement,
  type ChangeEffect,
  EditRequestSchema,
  ExpireRequestSchema,
  PublishRequestSchema,
  type Succession,
  type UndoneAnswer,
  UndoRequestSchema,
  WithdrawRequestSchema,
} from '../../contract/desk-types.ts';
import { type DeskOutcome, type DeskParts, findConflict, type HistoryAtRevision } from './desk-history.ts';
import { type DeskError, fieldError, invalid, notFound, refused } from './desk-refusals.ts';
import {
  type BodySchema,
  type DeskAnswer,
  type DeskRequest,
  findRepeated,
  parseBody,
  parseQuery,
  requestMark,
} from './desk-request.ts';

/** For times without an offset: the server does not know where its editors are. */
const zone = 'UTC';

interface Rule<Schema extends BodySchema> {
  readonly schema: Schema;
  readonly status: 200 | 201;
  /** Applies the request to the announcements; has no effects, because it may run again. */
  readonly apply: (
    history: HistoryFile,
    request: { readonly body: InferOutput<Schema>; readonly id: string },
    stamp: Stamp,
  ) => Outcome;
}

type Outcome = EditOutcome | { readonly refusal: DeskError };

type Attempt<Answer> = DeskOutcome & { readonly answer?: Answer; readonly isReplay?: boolean };

/** The requests that change announcements. */
export function createDeskChanges({ desk, clock }: DeskParts) {
  /** Makes a change once, if `If-Match` names the current revision; with `dryRun` it is not stored. */
  const change = async <Answer extends { readonly change: number | null }>(
    request: DeskRequest,
    now: number,
    apply: (history: HistoryFile, stamp: Stamp) => Attempt<Answer>,
    replay: (history: HistoryFile, number: number) => Attempt<Answer>,
  ) => {
    const isDry = parseQuery(request).dryRun === 'true';
    const mark = isDry ? undefined : requestMark(request);
    const stamp = { by: request.editor.name, at: now, ...(mark === undefined ? {} : { request: mark }) };
    const attempt = (seen: HistoryAtRevision): Attempt<Answer> => {
      // First, so that a repeated request does not fail because of its own change.
      const repeated = findRepeated(seen.history.changes, mark, now);
      if (repeated instanceof Error) return { refusal: repeated };
      if (repeated > 0) return replay(seen.history, repeated);
      const refusal = findConflict(request.ifMatch, seen);
      return refusal === undefined ? apply(seen.history, stamp) : { refusal };
    };
    if (!isDry) return desk.update(attempt);
    const seen = await desk.read();
    const outcome = attempt(seen);
    if ('refusal' in outcome) throw outcome.refusal;
    return { ...outcome, revision: seen.revision, isReplay: true };
  };

  const edits =
    <Schema extends BodySchema>({ schema, status, apply }: Rule<Schema>) =>
    async (request: DeskRequest): Promise<DeskAnswer> => {
      const { id } = request;
      const body = parseBody(schema, request);
      const now = clock();
      const { answer, isReplay, revision } = await change<ChangedAnnouncement>(
        request,
        now,
        (history, stamp) => attemptOf(history, apply(history, { body, id }, stamp), id, now),
        (history, number) => repeatedChange(history, number, now),
      );
      const isMade = answer !== undefined && answer.change !== null && isReplay !== true;
      return {
        status,
        body: answer ?? {},
        revision,
        changed: isMade ? `change ${answer.change} on ${answer.id}` : undefined,
      };
    };

  return {
    publish: edits({
      schema: PublishRequestSchema,
      status: 201,
      apply: (history, { body }, stamp) =>
        made(readDraft(textsOf(body), { zone, now: stamp.at }), (draft) => publish(history, draft, stamp)),
    }),
    edit: edits({
      schema: EditRequestSchema,
      status: 200,
      apply(history, { body, id }, stamp) {
        if (Object.keys(body).length === 0)
          return { refusal: invalid('the body contains no field to change') };
        const before = history.announcements.find((entry) => entry.id === id);
        return made(readEdit(textsOf(body), before, { zone, now: stamp.at }), (changes) =>
          edit(history, id, changes, stamp),
        );
      },
    }),
    expire: edits({
      schema: ExpireRequestSchema,
      status: 200,
      apply: (history, { body, id }, stamp) =>
        made(readEarlyEnd(body.at, { zone, now: stamp.at }), (end) => expire(history, id, end, stamp)),
    }),
    withdraw: edits({
      schema: WithdrawRequestSchema,
      status: 200,
      apply: (history, { id }, stamp) => withdraw(history, id, stamp),
    }),

    /** Undoes a change of any editor; the log records who undid it. */
    async undo(request: DeskRequest): Promise<DeskAnswer> {
      const { change: wanted } = parseBody(UndoRequestSchema, request);
      const now = clock();
      const { answer, isReplay, revision } = await change<UndoneAnswer>(
        request,
        now,
        (history, stamp) => {
          const undone = undo(history, wanted, stamp);
          if ('problem' in undone) return { refusal: refused(undone.problem) };
          return { history: undone.history, answer: undoneAnswer(undone.history, undone.number, now) };
        },
        (history, number) => ({ history, answer: undoneAnswer(history, number, now), isReplay: true }),
      );
      const changed = `change ${answer?.change} undid change ${answer?.undone}`;
      return {
        status: 200,
        body: { ...answer?.announcement, ...answer },
        revision,
        changed: isReplay ? undefined : changed,
      };
    },
  };
}

function textsOf({ at, expires, id, ...given }: Record<string, unknown>): DraftTexts {
  const values = Object.fromEntries(plainNames.map((name) => [name, given[name]]));
  return { at, expires, id, values } as DraftTexts;
}

function made<T>(read: Read<T>, make: (value: T) => EditOutcome): Outcome {
  return 'problems' in read ? { refusal: fieldError(read.problems) } : make(read.value);
}

function attemptOf(
  history: HistoryFile,
  outcome: Outcome,
  id: string,
  now: number,
): Attempt<ChangedAnnouncement> {
  if ('refusal' in outcome) return outcome;
  if ('problem' in outcome) {
    const isThere = id === '' || history.announcements.some((entry) => entry.id === id);
    return { refusal: isThere ? refused(outcome.problem) : notFound(outcome.problem) };
  }
  const { entry, number, warnings } = outcome;
  return {
    history: outcome.history,
    answer: changedAnswer(outcome.history, entry.id, number ?? null, warnings, now),
  };
}

/** Repeats the first answer, but with the announcement as it is now. */
function repeatedChange(history: HistoryFile, number: number, now: number): Attempt<ChangedAnnouncement> {
  const { id = '', after = null } = history.changes[number - 1] ?? {};
  if (history.announcements.some((entry) => entry.id === id))
    return { history, answer: changedAnswer(history, id, number, [], now), isReplay: true };
  if (after === null) return { refusal: notFound(`there is no announcement ${id}`) };
  const effect = effectOf(history, id, history.changes[number - 1], [], now);
  return { history, answer: { ...after, state: 'withdrawn', change: number, ...effect }, isReplay: true };
}

function changedAnswer(
  history: HistoryFile,
  id: string,
  number: number | null,
  warnings: readonly string[],
  now: number,
): ChangedAnnouncement {
  const listed = findListed(history, id, now);
  if (listed === undefined) throw new Error(`the change lost ${id}`);
  const change = number === null ? undefined : history.changes[number - 1];
  return { ...listed, change: number, ...effectOf(history, id, change, warnings, now) };
}

function undoneAnswer(history: HistoryFile, number: number, now: number): UndoneAnswer {
  const made = history.changes[number - 1];
  const undone = history.changes[(made?.undoes ?? 0) - 1];
  if (made === undefined || undone === undefined) throw new Error(`there is no undo ${number}`);
  const { id, action, by, undoes = null } = undone;
  return {
    announcement: findListed(history, id, now) ?? null,
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
  const present = history.announcements.find((entry) => entry.id === id) ?? null;
  return {
    before: change === undefined ? present : change.before,
    ...successionOf(history, id, now),
    current: currentAnnouncement(history, now)?.id ?? null,
    currentBefore: currentAnnouncement(without(history, change), now)?.id ?? null,
    active: activeAnnouncements(history, now).map((announcement) => announcement.id),
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

/** Which announcements come before and after one that is active or scheduled. */
export function successionOf(history: HistoryFile, id: string, now: number): Succession {
  const entry = history.announcements.find((candidate) => candidate.id === id);
  const state = entry && stateAt(history, entry, now).state;
  if (entry === undefined || (state !== 'active' && state !== 'scheduled'))
    return { supersedes: [], supersededBy: null };
  const next = successorOf(history, entry);
  return {
    supersedes: replacedBy(history, entry).map((earlier) => earlier.id),
    supersededBy: next === undefined ? null : { id: next.id, published: next.published },
  };
}
